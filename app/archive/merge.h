// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What two tellings of one thing say together. Pure.
#include "app/archive/records.h"

namespace switchyard::archive {

// What the second knows, and of the rest what the first knew. Evidence of both.
patroni::Transition merged(const patroni::Transition &before, const patroni::Transition &now);
// The log as it is, with what an archive remembers: cells that are unknown now, and transitions that nothing tells of any more.
std::vector<patroni::Transition> withArchived(const std::vector<patroni::Transition> &log,
                                              const std::vector<patroni::Transition> &archived);
// A decided request stays decided.
patroni::RequestReport merged(const patroni::RequestReport &before, const patroni::RequestReport &now);
// An answer or an outcome that is known stays known.
actions::AuditEntry merged(const actions::AuditEntry &before, const actions::AuditEntry &now);
patroni::HistoryEntry merged(const patroni::HistoryEntry &before, const patroni::HistoryEntry &now);

} // namespace switchyard::archive
