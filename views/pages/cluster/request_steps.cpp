// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/request_steps.h"

#include "views/words.h"

#include <QCoreApplication>

namespace switchyard::views {

using patroni::Outcome;
using patroni::RequestReport;
using patroni::RequestStep;

namespace {

struct Steps
{
    Q_DECLARE_TR_FUNCTIONS(Steps)
};

QString at(std::optional<Boot> t, Now now)
{
    return t ? timeText(now.toWall(*t)) : QString();
}

StepState reached(const RequestReport &r, RequestStep step)
{
    if (patroni::isFinal(r.outcome) || r.step > step)
        return StepState::Done;
    return r.step == step ? StepState::Current : StepState::Ahead;
}

ShownStep written(const RequestReport &r, Now now)
{
    const QString time = r.seenWall ? timeText(*r.seenWall) : at(r.seenAt, now);
    if (r.writtenBefore)
        return {StepState::Done, Steps::tr("written before"), time};
    return {StepState::Done, Steps::tr("written"), time};
}

ShownStep due(const RequestReport &r, Now now)
{
    const bool ahead = r.step == RequestStep::Scheduled && !patroni::isFinal(r.outcome);
    return {ahead ? StepState::Current : StepState::Done, ahead ? Steps::tr("waiting for its time") : Steps::tr("due"),
            ahead                       ? QString()
                : r.request.scheduledAt ? timeText(*r.request.scheduledAt) // exact: the clocks' reading might show a second less
                                        : at(r.dueAt, now)};
}

ShownStep steppingDown(const RequestReport &r, Now now)
{
    const QString who = r.leaderBefore ? text(*r.leaderBefore) : Steps::tr("the leader");
    const StepState state = r.releasedAt ? StepState::Done
        : r.step == RequestStep::Due     ? StepState::Current
                                         : reached(r, RequestStep::SteppingDown);
    if (state == StepState::Done)
        return {state, Steps::tr("%1 stepped down").arg(who), at(r.releasedAt, now)};
    return {state, r.step == RequestStep::Due ? Steps::tr("waiting for %1 to read it").arg(who) : Steps::tr("%1 steps down").arg(who), {}};
}

ShownStep leaderless(const RequestReport &r, Now now)
{
    if (r.releasedAt && r.takenAt)
        return {StepState::Done, Steps::tr("leaderless for %1").arg(durationText(*r.takenAt - *r.releasedAt)), {}};
    if (r.releasedAt && !patroni::isFinal(r.outcome))
        return {StepState::Current, Steps::tr("leaderless for %1").arg(secondsText(now.boot - *r.releasedAt)), {}};
    return {reached(r, RequestStep::Leaderless), Steps::tr("leaderless"), {}};
}

ShownStep newLeader(const RequestReport &r, Now now)
{
    const QString wanted = r.request.member ? text(*r.request.member) : Steps::tr("a new leader");
    if (!r.newLeader)
        return {StepState::Ahead, Steps::tr("%1 takes the lock").arg(wanted), {}};
    const QString who = text(*r.newLeader);
    if (r.outcome == Outcome::TakenBack)
        return {StepState::Warned, Steps::tr("%1 took the lock again").arg(who), at(r.takenAt, now)};
    if (r.outcome == Outcome::DoneOther)
        return {StepState::Warned, Steps::tr("%1 leads instead of %2").arg(who, wanted), at(r.takenAt, now)};
    return {r.takenAt ? StepState::Done : StepState::Current, Steps::tr("%1 leads").arg(who), at(r.takenAt, now)};
}

ShownStep timeline(const RequestReport &r, Now now)
{
    if (r.newTimeline)
        return {StepState::Done, Steps::tr("timeline %1").arg(*r.newTimeline), at(r.promotedAt, now)};
    return {r.newLeader ? StepState::Current : StepState::Ahead, Steps::tr("a new timeline"), {}};
}

ShownStep streaming(const RequestReport &r)
{
    const QString text = Steps::tr("%1 of %2 replicas streaming").arg(r.streaming).arg(r.replicas);
    if (!r.newTimeline)
        return {StepState::Ahead, Steps::tr("replicas streaming"), {}};
    return {r.streaming >= r.replicas ? StepState::Done : StepState::Current, text, {}};
}

bool neverActedOn(Outcome o)
{
    return o == Outcome::Refused || o == Outcome::Erased || o == Outcome::Superseded || o == Outcome::Cancelled;
}

} // namespace

std::vector<ShownStep> requestSteps(const RequestReport &r, Now now)
{
    std::vector<ShownStep> steps{written(r, now)};
    if (r.outcome == Outcome::Outage)
        return {steps.front(), {StepState::Failed, Steps::tr("its time cannot be read"), {}}};
    if (neverActedOn(r.outcome)) {
        steps.push_back({r.outcome == Outcome::Refused ? StepState::Failed : StepState::Warned, words(r.outcome), at(r.decidedAt, now)});
        return steps;
    }
    if (r.request.schedule == patroni::FailoverRequest::Schedule::Valid)
        steps.push_back(due(r, now));
    if (r.step == RequestStep::Scheduled)
        return steps;
    for (const auto &step : {steppingDown(r, now), leaderless(r, now), newLeader(r, now)})
        steps.push_back(step);
    if (r.outcome != Outcome::TakenBack) {
        steps.push_back(timeline(r, now));
        steps.push_back(streaming(r));
    }
    return steps;
}

} // namespace switchyard::views
