// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stops an object that may be inside one of its signals: the owner hears nothing more of it, and it is freed when the stack is clear of
// it, with its owner at the latest. What it uses (a client, a clock) lives as long as the owner does, and not longer.
#include <QObject>

#include <memory>

namespace switchyard::kube {

template<typename Object>
void retire(std::unique_ptr<Object> &object, QObject *owner)
{
    if (!object)
        return;
    object->disconnect(owner);
    object->stop();
    object->setParent(owner);
    object.release()->deleteLater();
}

} // namespace switchyard::kube
