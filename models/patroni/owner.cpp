// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/owner.h"

#include <algorithm>
#include <array>

namespace switchyard::patroni {

namespace {

using Labels = std::map<std::string, std::string>;

// All that tells: the labels of the member Pods, and labels and owners of the objects that hold the state.
struct Traces
{
    explicit Traces(const Cluster &cluster)
    {
        labels.push_back(&cluster.commonMemberLabels);
        for (const auto &[role, object] : cluster.objects) {
            labels.push_back(&object.labels);
            for (const OwnerReference &owner : object.owners)
                owners.push_back(&owner);
        }
    }

    // The first label of that key, and of that value where one is given.
    const Labels::value_type *label(std::string_view key, std::string_view value = {}) const
    {
        for (const Labels *some : labels) {
            for (const auto &entry : *some) {
                if (entry.first == key && (value.empty() || entry.second == value))
                    return &entry;
            }
        }
        return nullptr;
    }
    const Labels::value_type *labelUnder(std::string_view prefix) const
    {
        for (const Labels *some : labels) {
            const auto found = std::find_if(some->begin(), some->end(), [&](const auto &entry) { return entry.first.starts_with(prefix); });
            if (found != some->end())
                return &*found;
        }
        return nullptr;
    }
    const OwnerReference *owner(std::string_view kind) const
    {
        const auto found = std::find_if(owners.begin(), owners.end(), [&](const OwnerReference *o) { return o->kind == kind; });
        return found == owners.end() ? nullptr : *found;
    }
    std::string valueOf(std::string_view key) const
    {
        const auto *entry = label(key);
        return entry ? entry->second : std::string();
    }

    std::vector<const Labels *> labels;
    std::vector<const OwnerReference *> owners;
};

std::string shown(const Labels::value_type &label)
{
    return "label " + label.first + "=" + label.second;
}

std::string shown(const OwnerReference &owner)
{
    return "owner " + owner.kind + " " + owner.name;
}

// Before Crunchy's: it is made from that one and carries its labels too.
std::optional<Ownership> percona(const Traces &traces)
{
    const std::string name = traces.valueOf("postgres-operator.crunchydata.com/cluster");
    if (const OwnerReference *owner = traces.owner("PerconaPGCluster"))
        return Ownership{Operator::Percona, "PerconaPGCluster", owner->name, shown(*owner)};
    if (const auto *label = traces.label("app.kubernetes.io/managed-by", "percona-postgresql-operator"))
        return Ownership{Operator::Percona, "PerconaPGCluster", name, shown(*label)};
    if (const auto *label = traces.labelUnder("pgv2.percona.com/"))
        return Ownership{Operator::Percona, "PerconaPGCluster", name, shown(*label)};
    return std::nullopt;
}

std::optional<Ownership> crunchy(const Traces &traces)
{
    if (const OwnerReference *owner = traces.owner("PostgresCluster"))
        return Ownership{Operator::CrunchyPgo, "PostgresCluster", owner->name, shown(*owner)};
    if (const auto *label = traces.label("postgres-operator.crunchydata.com/cluster"))
        return Ownership{Operator::CrunchyPgo, "PostgresCluster", label->second, shown(*label)};
    if (const auto *label = traces.label("crunchy-pgha-scope")) // PGO 4
        return Ownership{Operator::CrunchyPgo, "Pgcluster", traces.valueOf("pg-cluster"), shown(*label)};
    return std::nullopt;
}

std::optional<Ownership> stackGres(const Traces &traces)
{
    if (const OwnerReference *owner = traces.owner("SGCluster"))
        return Ownership{Operator::StackGres, "SGCluster", owner->name, shown(*owner)};
    if (const auto *label = traces.label("stackgres.io/cluster-name"))
        return Ownership{Operator::StackGres, "SGCluster", label->second, shown(*label)};
    if (const auto *label = traces.label("app", "StackGresCluster"))
        return Ownership{Operator::StackGres, "SGCluster", traces.valueOf("cluster-name"), shown(*label)};
    return std::nullopt;
}

// The operator adds the team to Spilo's labels; without it, Spilo may have been installed by hand.
std::optional<Ownership> zalando(const Traces &traces)
{
    if (const OwnerReference *owner = traces.owner("postgresql"))
        return Ownership{Operator::Zalando, "postgresql", owner->name, shown(*owner)};
    const auto *label = traces.label("application", "spilo");
    if (!label)
        label = traces.label("spilo-role");
    if (!label)
        return std::nullopt;
    if (traces.label("team"))
        return Ownership{Operator::Zalando, "postgresql", traces.valueOf("cluster-name"), shown(*label)};
    return Ownership{Operator::Zalando, {}, {}, shown(*label)};
}

// Kinds of Kubernetes itself own what they run; they revert nothing of Patroni's state.
bool isBuiltIn(std::string_view kind)
{
    constexpr std::array kinds{"Pod", "StatefulSet", "ReplicaSet", "Deployment", "DaemonSet", "Job", "Service", "Node"};
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Tools that install and go.
bool isInstaller(std::string_view manager)
{
    constexpr std::array names{"Helm", "helm", "Tiller", "kustomize", "Terraform", "terraform", "pulumi", "argocd", "flux", "template"};
    return std::find(names.begin(), names.end(), manager) != names.end();
}

std::optional<Ownership> other(const Traces &traces)
{
    for (const OwnerReference *owner : traces.owners) {
        if (!isBuiltIn(owner->kind))
            return Ownership{Operator::Other, owner->kind, owner->name, shown(*owner)};
    }
    const auto *manager = traces.label("app.kubernetes.io/managed-by");
    if (manager && !isInstaller(manager->second))
        return Ownership{Operator::Other, {}, {}, shown(*manager)};
    return std::nullopt;
}

} // namespace

std::string_view code(Operator o)
{
    switch (o) {
    case Operator::None: return "none";
    case Operator::Zalando: return "zalando";
    case Operator::CrunchyPgo: return "crunchy-pgo";
    case Operator::Percona: return "percona";
    case Operator::StackGres: return "stackgres";
    case Operator::Other: return "other";
    }
    return "unknown";
}

std::string_view code(OwnerEffect e)
{
    switch (e) {
    case OwnerEffect::None: return "none";
    case OwnerEffect::Reverts: return "reverts";
    case OwnerEffect::MayRevert: return "may-revert";
    case OwnerEffect::Unknown: return "unknown";
    }
    return "unknown";
}

Ownership ownership(const Cluster &cluster)
{
    const Traces traces(cluster);
    for (const auto &read : {percona, crunchy, stackGres, zalando, other}) {
        if (auto found = read(traces))
            return *found;
    }
    return {};
}

// By what each operator does to Patroni's dynamic configuration when it reconciles: Crunchy's and Percona's replace it as a whole, Zalando's sets
// the settings that its custom resource names, StackGres writes its own.
OwnerEffect effectOf(Operator by, OwnedChange change)
{
    if (by == Operator::None)
        return OwnerEffect::None;
    if (by == Operator::Other)
        return OwnerEffect::Unknown;
    switch (change) {
    case OwnedChange::Config: return OwnerEffect::Reverts;
    case OwnedChange::Pause:
        return by == Operator::Zalando ? OwnerEffect::None : by == Operator::StackGres ? OwnerEffect::MayRevert : OwnerEffect::Reverts;
    case OwnedChange::Restart:
    case OwnedChange::Switchover: break;
    }
    return OwnerEffect::None;
}

} // namespace switchyard::patroni
