// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/event.h"

namespace switchyard {

std::string_view code(EventCode c)
{
    switch (c) {
    case EventCode::LeaderChanged: return "leader-changed";
    case EventCode::LockReleased: return "lock-released";
    case EventCode::LockExpired: return "lock-expired";
    case EventCode::LockAcquired: return "lock-acquired";
    case EventCode::LockLate: return "lock-late";
    case EventCode::TimelineAdvanced: return "timeline-advanced";
    case EventCode::RequestWritten: return "request-written";
    case EventCode::RequestCleared: return "request-cleared";
    case EventCode::SyncChanged: return "sync-changed";
    case EventCode::PauseOn: return "pause-on";
    case EventCode::PauseOff: return "pause-off";
    case EventCode::ConfigChanged: return "config-changed";
    case EventCode::MemberAppeared: return "member-appeared";
    case EventCode::MemberLeft: return "member-left";
    case EventCode::MemberState: return "member-state";
    case EventCode::Undecodable: return "undecodable";
    case EventCode::ConnectionLost: return "connection-lost";
    case EventCode::ConnectionRestored: return "connection-restored";
    case EventCode::ScheduleImpossible: return "schedule-impossible";
    case EventCode::SchedulePossible: return "schedule-possible";
    case EventCode::ScheduleAbsurd: return "schedule-absurd";
    case EventCode::ScheduleSane: return "schedule-sane";
    case EventCode::NearMiss: return "near-miss";
    case EventCode::FailsafeOn: return "failsafe-on";
    case EventCode::FailsafeOff: return "failsafe-off";
    case EventCode::SyncEmpty: return "sync-empty";
    case EventCode::SyncFilled: return "sync-filled";
    case EventCode::StatusSilent: return "status-silent";
    case EventCode::StatusResumed: return "status-resumed";
    case EventCode::LeaderDisagreement: return "leader-disagreement";
    case EventCode::LeaderAgreement: return "leader-agreement";
    case EventCode::HistoryRewritten: return "history-rewritten";
    case EventCode::ManyLate: return "many-late";
    case EventCode::BlindSpot: return "blind-spot";
    case EventCode::PodEvidence: return "pod-evidence";
    case EventCode::ElectionLeader: return "election-leader";
    case EventCode::ElectionStopped: return "election-stopped";
    case EventCode::ElectionPod: return "election-pod";
    case EventCode::ElectionLate: return "election-late";
    case EventCode::ElectionStuck: return "election-stuck";
    case EventCode::ElectionDisagreement: return "election-disagreement";
    case EventCode::ElectionAgreement: return "election-agreement";
    case EventCode::ElectionInvalid: return "election-invalid";
    case EventCode::ElectionEvidence: return "election-evidence";
    }
    return "unknown";
}

namespace {

// Bare words as they are; anything else in quotes, so that the text can be taken apart again.
std::string quoted(const std::string &value)
{
    if (!value.empty() && value.find_first_of(" \t\n\"=\\") == std::string::npos)
        return value;
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c == '\n' || c == '\t' ? ' ' : c;
    }
    return text + '"';
}

} // namespace

std::string detailText(const Event &event)
{
    std::string text;
    for (const auto &[key, value] : event.detail) {
        if (!text.empty())
            text += ' ';
        text += key + '=' + quoted(value);
    }
    return text;
}

} // namespace switchyard
