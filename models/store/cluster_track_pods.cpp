// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Pods and Events tell of the end of a member.
#include "models/events/pod_evidence.h"
#include "models/store/cluster_track.h"

namespace switchyard {

namespace {

// How long ago a container may have ended to be told of when its Pod is seen for the first time.
constexpr Duration recent = std::chrono::minutes(30);

} // namespace

void ClusterTrack::sayPod(const std::string &member, const patroni::MemberRecord *before, const PodState &now)
{
    const Moment &moment = now.fact.moment;
    const bool same = before && before->uid == now.record.uid;
    const auto news = same ? podDifference(member, before->pod, now.record.pod)
                           : podPast(member, now.record.pod, moment.seen.wall - recent);
    for (const PodNews &item : news) {
        patroni::Evidence evidence = item.evidence;
        if (!evidence.at && same)
            evidence.at = moment.seen.wall;
        noteEvidence(member, evidence, same ? moment.seen.wall : evidence.at.value_or(moment.seen.wall));
        if (!same)
            continue; // it is from before we looked
        m_announce.say(EventCode::PodEvidence, moment, {member, now.fact.uid}, item.detail,
                       item.detail.at("kind") + '/' + item.evidence.detail);
        touch(moment);
    }
}

void ClusterTrack::podEvent(const KubeObject &event, const Moment &moment)
{
    const auto news = switchyard::podNews(event);
    if (!news)
        return;
    const std::string &member = news->evidence.subject;
    noteEvidence(member, news->evidence, moment.first ? news->evidence.at.value_or(moment.seen.wall) : moment.seen.wall);
    m_announce.say(EventCode::PodEvidence, moment, {member, event.uid}, news->detail, member);
    touch(moment);
}

} // namespace switchyard
