// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "objects.h"

namespace switchyard::test {

QByteArray objectJson(const QByteArray &name, int version, const QByteArray &note)
{
    const QByteArray number = QByteArray::number(version);
    return R"({"kind":"Endpoints","apiVersion":"v1","metadata":{"name":")" + name + R"(","namespace":"db","uid":"uid-)" + name
        + R"(","resourceVersion":")" + number + R"(","annotations":{"note":")" + note + R"("}}})";
}

QByteArray listJson(const QByteArray &version, const QByteArrayList &items, const QByteArray &continueToken)
{
    const QByteArray more = continueToken.isEmpty() ? QByteArray() : R"(,"continue":")" + continueToken + '"';
    return R"({"kind":"EndpointsList","apiVersion":"v1","metadata":{"resourceVersion":")" + version + '"' + more + R"(},"items":[)"
        + items.join(',') + "]}";
}

QByteArray eventJson(const QByteArray &type, const QByteArray &object)
{
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

QByteArray bookmarkJson(int version)
{
    return eventJson("BOOKMARK",
                     R"({"kind":"Endpoints","apiVersion":"v1","metadata":{"resourceVersion":")" + QByteArray::number(version) + R"("}})");
}

QByteArray statusJson(int code, const QByteArray &reason, const QByteArray &message)
{
    const QByteArray number = code > 0 ? R"(,"code":)" + QByteArray::number(code) : QByteArray();
    return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" + message + R"(","reason":")" + reason + '"'
        + number + '}';
}

} // namespace switchyard::test
