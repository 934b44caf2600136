// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Inside of ClusterStore: which observation touches which clusters.
#include "models/store/cluster_store.h"
#include "models/store/late_locks.h"
#include "models/store/store_context.h"

#include <functional>
#include <set>

namespace switchyard {

struct ClusterStore::Impl
{
    // A cluster with the stream whose clock it goes by.
    struct Slot
    {
        std::unique_ptr<ClusterTrack> track;
        Stream *stream = nullptr;
        std::optional<Boot> scheduled;
        std::optional<Boot> lastProbe;
    };
    // An object that changed: what to tell the clusters it belongs to.
    struct News
    {
        std::string ns;
        ContextTable::Name name;
        Moment moment;
        std::vector<ClusterPart> before; // whose it was
    };

    std::map<std::string, std::unique_ptr<StoreContext>> contexts;
    std::map<patroni::ClusterKey, Slot> slots;
    struct Dropped
    {
        Boot at{};
        ClusterTrack::Memory memory;
    };
    std::map<patroni::ClusterKey, Dropped> dropped; // clusters that were there before: what they went through has been told
    std::vector<Event> events;
    LateLocks lateLocks;
    Now now{};
    // of the call under way
    const Stream *speaking = nullptr; // whose clusters' clocks go by `now` of this call
    Now spoken{};
    StoreChanges changes;
    std::set<patroni::ClusterKey> touched;

    StoreContext &context(const std::string &name);
    void begin(const Now &at);
    StoreChanges finish();

    void listed(StoreContext &c, Stream &s, const Listed &list, const Now &at, Boot asked);
    void changed(StoreContext &c, Stream &s, const Changed &change, const Now &at);
    void confirmed(StoreContext &c, Stream &s, const Confirmed &get, const Now &at, Boot asked);
    void probeFailed(StoreContext &c, Stream &s, const ProbeFailed &get, const Now &at);
    void undecodable(StoreContext &c, Stream &s, const Undecodable &bad, const Now &at);

    void podEvents(StoreContext &c, const Observation &o, const Now &at);
    void podEvent(StoreContext &c, const KubeObject &object, const Moment &moment);
    static void feedPodEvents(const StoreContext &c, ClusterTrack &track);
    void seenAside(StoreContext &c, Stream &s, const Observation &o, const Now &at);

    // What one observation changed.
    struct Batch
    {
        std::vector<News> news;
        std::set<std::string> reshaped; // namespaces
    };
    void note(StoreContext &c, const std::string &ns, const ContextTable::Name &name,
              const std::function<TableChange(ContextTable &)> &change, Batch &batch);
    // False: it is of an earlier time than what is known.
    struct ListNews
    {
        const Listed *list = nullptr;
        Moment moment;
        Coverage before; // what the stream told of until now
        bool aside = false;
        Boot asked{};
    };
    ListWord wordOf(StoreContext &c, const Stream &s, const ListNews &news) const;
    void gone(StoreContext &c, const Stream &s, const std::string &ns, const ContextTable::Name &name, const Now &at, Boot asked);
    bool takeList(StoreContext &c, Stream &s, const ListNews &news);
    void takeChange(StoreContext &c, const Stream &s, const Changed &change, Moment moment);
    void missing(StoreContext &c, const Stream &s, const ListNews &news, const ListWord &word, Batch &batch);
    void forgetUnreadPods(StoreContext &c, const Stream &s);
    void deliver(StoreContext &c, std::vector<News> news, const std::set<std::string> &reshaped, bool live);
    void tell(StoreContext &c, const News &item, const std::set<patroni::ClusterKey> &fresh);
    void tellOfDoubts(Slot &slot, Moment &moment) const;
    // Returns the clusters that are new.
    std::set<patroni::ClusterKey> rediscover(StoreContext &c, const std::string &ns);
    void feed(StoreContext &c, Slot &slot, const News *trigger);
    void drop(const patroni::ClusterKey &key);

    void letTimePass(Stream &s, const Now &at);
    void proven(Stream &s, const Now &at, Boot until);
    bool isFollowed(const Slot &slot) const;
    bool isTold(const Slot &slot) const; // its stream tells of its lock
    static bool isBlind(const Slot &slot);
    void touchAll(const StoreContext &c);
    void touchStream(const Stream &s);
    void refresh(const patroni::ClusterKey &key);
    void schedule(Slot &slot);
    void judgeLate();
    void sayBlind(const StoreContext &c, const Stream &s, const std::optional<Boot> &since, const Now &at);
    void sayConnection(StoreContext &c, const Now &at);
    void record(std::vector<Event> news);
    Slot *slot(const patroni::ClusterKey &key);
};

} // namespace switchyard
