// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands between a planned write and the wire, whatever is sent and however: one table for writes and for tries.
#include "app/actions/writer.h"

#include <QTest>

namespace switchyard::made {

// Takes one guard's consent away; the writer refuses by itself, and nothing goes out.
using Guard = void (*)(actions::ActionWriter &writer, actions::PlannedWrite &planned);

inline void addGuards()
{
    using actions::ActionWriter, actions::PlannedWrite;
    const auto row = [](const char *name, Guard guard) { QTest::newRow(name) << guard; };
    QTest::addColumn<Guard>("guard");
    row("read-only", [](ActionWriter &w, PlannedWrite &) { w.setReadOnly([] { return true; }); });
    row("read-only not told", [](ActionWriter &w, PlannedWrite &) { w.setReadOnly({}); });
    row("not fresh",
        [](ActionWriter &w, PlannedWrite &) { w.setFreshness([](const PlannedWrite &) { return Error{ErrorKind::Refused}; }); });
    row("freshness not told", [](ActionWriter &w, PlannedWrite &) { w.setFreshness({}); });
    row("tampered bytes", [](ActionWriter &, PlannedWrite &planned) { planned.write.path.name = QStringLiteral("acme"); });
}

// An answer, as the client hands it over.
inline kube::Response answer(int status, const QByteArray &body)
{
    kube::Response response;
    response.status = status;
    response.body = body;
    return response;
}

inline kube::Response failure(ErrorKind kind, int status, const char *message = "", const QByteArray &body = {})
{
    kube::Response response = answer(status, body);
    response.error = Error{kind};
    response.error->httpStatus = status;
    response.error->message = message;
    return response;
}

} // namespace switchyard::made

Q_DECLARE_METATYPE(switchyard::made::Guard)
