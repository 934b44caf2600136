// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What became of a Pod, by its own status and by the core/v1 Events about it: evidence for why a leader was lost. Nothing of it proves
// anything of Patroni, and that nothing is there proves nothing at all.
#include "models/events/object_events.h"

namespace switchyard {

struct PodNews
{
    patroni::Evidence evidence;
    EventDetail detail; // of the EventCode::PodEvidence: kind (the evidence's code), member, reason, message, source, container ...
};

// Between two sights of one and the same Pod.
std::vector<PodNews> podDifference(const std::string &member, const PodFacts &before, const PodFacts &now);
// What a Pod that is seen for the first time tells of the time since `since`.
std::vector<PodNews> podPast(const std::string &member, const PodFacts &facts, Instant since);
// A message as it may be shown and kept: without credentials, whatever a probe printed, and not longer than 400 characters.
std::string shortMessage(const std::string &message);
// Of an Event about a Pod; nullopt: it tells of nothing that could end a leader.
std::optional<PodNews> podNews(const KubeObject &event);

} // namespace switchyard
