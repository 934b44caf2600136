// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What of an object or setting may be shown: values that carry credentials are not.
#include <QString>

namespace switchyard::views {

bool isSecretKey(QStringView key); // password, passwd, secret, token in any case, and commands that may carry them
// The value as it may be shown: "hidden", or the text with credentials masked. JSON keeps its layout, its secret parts are hidden.
QString shownValue(QStringView key, const QString &value);
bool isLeftOut(QStringView key); // an annotation that repeats the whole object

} // namespace switchyard::views
