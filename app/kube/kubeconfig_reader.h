// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From the plain values of kubeconfig files to contexts. The first file that has an entry of a name wins. A defect of a cluster,
// user or context entry makes only the contexts that use it unusable.
#include "app/kube/kubeconfig_parts.h"

#include <QHash>

#include <map>

namespace switchyard::kube {

class KubeconfigReader
{
public:
    explicit KubeconfigReader(const std::vector<KubeconfigFile> &files);
    // Everything but Kubeconfig::files.
    Kubeconfig read();

private:
    // One entry of the lists clusters, users, contexts.
    struct Entry
    {
        QString name;
        std::string field; // "users[2].user"
        const KubeconfigFile *file = nullptr;
        const YamlNode *entry = nullptr; // the list item
        const YamlNode *body = nullptr;  // its inner map; nullptr: null or missing
        bool twice = false;              // another entry of this file has this name
    };
    struct Entries
    {
        std::vector<Entry> list; // in the files' order
        QHash<QString, std::size_t> byName;
    };
    using Problems = std::vector<Error>;

    Entries entries(const char *list, const char *inner);
    void addEntries(const KubeconfigFile &file, const char *list, const char *inner, Entries &out);
    ContextConfig readContext(const Entry &context);
    const Entry *resolve(const Fields &context, const char *what, const Entries &among, Problems &problems) const;
    const ClusterPart &cluster(const Entry &entry);
    const UserPart &user(const Entry &entry);
    void readCurrentContext(Kubeconfig &out);
    static Fields fieldsOf(const Entry &entry, Problems &problems);

    const std::vector<KubeconfigFile> &m_files;
    Entries m_clusters, m_users;
    std::map<const Entry *, ClusterPart> m_clusterParts; // read once, however many contexts use it
    std::map<const Entry *, UserPart> m_userParts;
    Problems m_problems;
};

} // namespace switchyard::kube
