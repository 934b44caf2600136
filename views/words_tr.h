// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Translation context of the words_*.cpp files.
#include <QCoreApplication>

namespace switchyard::views {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)
};

} // namespace switchyard::views
