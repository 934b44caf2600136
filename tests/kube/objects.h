// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Kubernetes objects, lists, events and Status bodies as JSON text.
#include <QByteArray>
#include <QByteArrayList>

namespace switchyard::test {

QByteArray objectJson(const QByteArray &name, int version, const QByteArray &note = {});
QByteArray listJson(const QByteArray &version, const QByteArrayList &items, const QByteArray &continueToken = {});
QByteArray eventJson(const QByteArray &type, const QByteArray &object); // with its line end
QByteArray bookmarkJson(int version);                                   // with its line end
QByteArray statusJson(int code, const QByteArray &reason, const QByteArray &message);

} // namespace switchyard::test
