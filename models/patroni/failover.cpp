// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/decode_support.h"
#include "models/patroni/schedule_time.h"

namespace switchyard::patroni {

FailoverRequest decodeFailover(const KubeObject &object, std::vector<Defect> &list)
{
    FailoverRequest request;
    request.leader = filledAnnotation(object, "leader");
    request.member = filledAnnotation(object, "member");
    request.scheduledAtRaw = filledAnnotation(object, "scheduled_at");
    if (!request.scheduledAtRaw)
        return request; // missing and empty both mean "not scheduled"
    const ScheduleTime time = readScheduleTime(*request.scheduledAtRaw);
    request.schedule = time.kind;
    if (time.kind == FailoverRequest::Schedule::Valid) {
        request.scheduledAt = time.utc;
        request.offsetSeconds = time.offsetSeconds;
    }
    if (time.kind == FailoverRequest::Schedule::Unparsable)
        Defects(list, object.name).add("scheduled_at", "not a time: no member of the cluster can read its state");
    return request;
}

} // namespace switchyard::patroni
