// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One election of the store: the objects that it is read from, what was seen of them, and what that means.
#include "models/election/holder_pods.h"
#include "models/election/record_trail.h"
#include "models/events/event.h"
#include "models/store/late_locks.h"

#include <map>
#include <set>

namespace switchyard::election {

class ElectionTrack;

struct OlderTrack
{
    bool operator()(const ElectionTrack *a, const ElectionTrack *b) const;
};

// One watch, and the tracks that wait for its word.
struct WatchedSource
{
    WatchedSource(Resource resource, std::string ns)
        : stream(resource, std::move(ns))
    {}
    Stream stream;
    std::set<ElectionTrack *, OlderTrack> unproven;
};

class ElectionTrack
{
public:
    ElectionTrack(Key key, Duration tolerance, std::uint64_t number);
    ~ElectionTrack();

    // An object that it is read from: a Lease, or one with an annotation, or (for life) a ConfigMap.
    struct Part
    {
        Resource resource{};
        WatchedSource *source = nullptr;
        std::string uid, version;
        std::map<std::string, std::string> labels;
        std::optional<Instant> createdAt;
        Boot sightAt{};                // when this version was seen
        std::optional<Boot> askedAt;   // last answer to a GET of it
        bool doubted = false;          // a list with a selector did not hold it: gone, or merely without the label
        bool dataUnknown = false;      // a ConfigMap that may have data: then it is no lock for life
        std::optional<Boot> refusedAt; // last GET of it that was not permitted
        RecordTrail trail;
    };
    // What outlives the object: a lock for life is another object for each holder.
    struct Memory
    {
        std::vector<HolderChange> changes;
        std::optional<std::string> lastHolder;
        std::optional<Boot> leaderlessSince, watchedSince;
        Boot at{};
    };

    const Key &key() const { return m_e.key; }
    std::uint64_t number() const { return m_number; }
    const Election &election();                   // complete
    const Election &state() const { return m_e; } // without what only people read
    const std::vector<Part> &parts() const { return m_parts; }
    Part *part(Resource resource);
    std::vector<Part> &parts() { return m_parts; }
    bool forLife() const { return m_e.key.family == Family::LeaderForLife; }
    void setSink(std::vector<Event> *sink) { m_sink = sink; }
    void remember(Memory memory);
    Memory memory() const;

    void see(const KubeObject &object, const Moment &moment, WatchedSource *source);
    // The object is gone, or no lock any more. True: so is the election.
    bool lose(Resource resource, const Moment &moment, bool told);
    void unverify(Boot at);
    void setPods(HolderKnowledge pods) { m_pods = std::move(pods); }
    const HolderKnowledge &pods() const { return m_pods; }
    void evidence(const std::string &text, const std::optional<std::string> &about, Boot at);
    void elect(const KubeObject &event, const Moment &moment); // the elector's own Event

    // Judges anew.
    void refresh(const Now &now);
    std::optional<Boot> nextMoment(Boot now) const;
    std::optional<Boot> ranOutAt() const;           // of one that is expired or stuck
    std::optional<Boot> doubtSince(Boot now) const; // lacks a confirmation since then
    Duration askAfter() const;
    std::string podName() const;                     // of the holder, by its identity or owner reference; empty: none
    std::vector<std::string> podsOfInterest() const; // that one and its predecessor's

    std::optional<Boot> scheduled; // in the store's deadlines
    std::optional<Boot> askedAt;   // for a proof
    LateLocks::Sight counted;
    std::vector<std::string> indexedPods; // in the store's index

private:
    struct Said // once an episode
    {
        bool late = false, stopped = false, stuck = false, disagrees = false, invalid = false;
        std::set<State> fates{}; // of the Pod of a leader for life, since it stopped
    };
    Record *record(const Part &part) { return &m_e.records[static_cast<std::size_t>(&part - m_parts.data())]; }
    Part &place(const KubeObject &object, WatchedSource *source);
    void seeRecord(const KubeObject &object, const Moment &moment, WatchedSource *source);
    void seeOwners(const KubeObject &object, const Moment &moment, WatchedSource *source);
    void authorityMoved(const Record &before, const Moment &moment, const Observed &seen);
    void renewed(const Moment &moment, const Observed &seen);
    void taken(const std::string &to, const Moment &moment);
    void firstSight(const Moment &moment);
    void sayOverdue(const Record &before, const Record &next, const Moment &moment, const Observed &seen);
    HolderChange &push(HolderChange change, const Moment &moment);
    void say(EventCode type, std::map<std::string, std::string> detail, const Moment &moment, std::string_view extra = {});
    Moment momentOf(const Now &now) const;
    void judgeRecords(const Now &now);
    void judgeLife(const Now &now);
    void judgeAgreement(const Now &now);
    void sayState(State before, const Now &now);
    void sayLife(State before, const Moment &moment);
    void saidAnew();
    void sayAgreement(const Now &now);
    void describe();
    void stop(std::string_view how, const Moment &moment);
    void expire(const Observed &seen, Duration lease, Moment then);
    Boot renewedNotBefore(const Observed &seen, const Now &now) const;
    Terms terms() const;
    std::optional<Boot> disagreementDue() const;
    std::optional<std::string> recordHolder() const;

    Election m_e;
    Duration m_tolerance;
    std::uint64_t m_number;
    std::vector<Part> m_parts; // as m_e.records, for records
    HolderKnowledge m_pods;
    std::vector<Event> *m_sink = nullptr;
    Said m_said;
    std::optional<std::string> m_lastHolder;
    std::optional<Boot> m_leaderlessSince, m_disagreesSince;
    std::string m_versionBefore; // of the object whose change is being told
    bool m_leaderlessHidden = false, m_rawIsOld = true, m_led = false;
    struct Heard
    {
        std::string text;
        std::optional<std::string> about;
        Boot at{};
    };
    std::vector<Heard> m_heard; // evidence of late
};

} // namespace switchyard::election
