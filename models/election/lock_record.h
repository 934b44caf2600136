// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an object says of an election, by itself: client-go's record in a Lease or an annotation, a lock for life in a ConfigMap, or
// nothing. The record decides, never the name.
#include "models/election/election.h"

namespace switchyard::election {

inline constexpr const char *leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";
// What a reader of two records that disagree sees as the holder; no one's identity.
inline constexpr const char *unknownHolder = "leaderelection.k8s.io/unknown";

// nullopt: no record, `{}` or null, as Patroni and others put there. Text that is no JSON object: a record with the one defect `leader`.
std::optional<Record> decodeAnnotation(const KubeObject &object);
Record decodeLease(const KubeObject &lease);
bool isBroken(const Record &record);

// Whom it names; nullopt: nobody, or nobody that is known.
std::optional<std::string> knownHolder(const Record &record);
// Nobody has it, and anybody may take it: for client-go a missing holder is an empty one.
bool isFree(const Record &record);
// Seconds that it is good for; nullopt: not told, or no time at all.
std::optional<std::int64_t> leaseSeconds(const Record &record);

enum class LockSort { None, Record, ForLife };
// wasForLife: the object was a lock for life before; then one whose owners are wrong now is a broken lock.
LockSort sortOf(const KubeObject &object, bool wasForLife);
// What is wrong with the owners of a lock for life: no-owner, several-owners, owner-no-pod; empty: nothing.
std::string_view ownerDefect(const std::vector<OwnerReference> &owners);

// A node's heartbeat, an API server's identity.
bool isNoise(const KubeObject &lease);

// Indented, for people; text that is no JSON as it is.
std::string indented(std::string_view json);
std::string ownersText(const std::vector<OwnerReference> &owners);

} // namespace switchyard::election
