// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts of a row that are no columns of their own, as JSON text. What cannot be read is left unknown; what a later version added
// is passed over.
#include "app/archive/records.h"

namespace switchyard::archive {

std::string encode(const patroni::Transition &transition);
patroni::Transition decodeTransition(const std::string &text);

std::string encode(const patroni::RequestReport &request, Now now);
patroni::RequestReport decodeRequest(const std::string &text);

std::string encode(const actions::AuditEntry &entry);
actions::AuditEntry decodeAudit(const std::string &text);

std::string encode(const patroni::HistoryEntry &entry);
patroni::HistoryEntry decodeTimeline(const std::string &text);

std::string encode(const std::map<std::string, std::string> &values);
std::map<std::string, std::string> decodeMap(const std::string &text);

} // namespace switchyard::archive
