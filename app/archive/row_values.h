// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Values of the core as the database takes and gives them.
#include "app/archive/records.h"

#include <QString>
#include <QVariant>

namespace switchyard::archive {

// Without zero bytes, which PostgreSQL's text cannot hold.
inline QVariant toSql(const std::string &text)
{
    QString value = QString::fromStdString(text);
    value.remove(QChar(u'\0'));
    return value.isNull() ? QString(QLatin1String("")) : value;
}
inline QVariant toSql(std::int64_t number)
{
    return QVariant::fromValue(static_cast<qlonglong>(number));
}
inline QVariant toSql(Instant at)
{
    return toSql(at.time_since_epoch().count());
}
template<class T>
QVariant toSql(const std::optional<T> &value)
{
    return value ? toSql(*value) : QVariant();
}
inline QVariant groupToSql(const std::optional<int> &group)
{
    return group.value_or(-1);
}

inline std::string textOf(const QVariant &value)
{
    return value.toString().toStdString();
}
inline Instant instantOf(const QVariant &value)
{
    return Instant(Duration(value.toLongLong()));
}
inline std::optional<int> groupOf(const QVariant &value)
{
    return value.toInt() < 0 ? std::nullopt : std::optional(value.toInt());
}

} // namespace switchyard::archive
