// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which contexts there are, which are open, and with which namespaces. Reads the kubeconfig files, reads them again when they change,
// opens and closes connections, remembers what was chosen. One context never waits for another.
//
//   closed ──open──► open ──kubeconfig changed──► same identity: goes on with the new credential; else closed and opened anew
//      ▲──────close───┘      └─ vanished, or unreadable: goes on as it was, and says so
#include "app/clusters/monitor.h"
#include "app/desktop/settings.h"
#include "app/kube/exec_pool.h"
#include "app/kube/kubeconfig_watcher.h"
#include "models/items/contexts_model.h"

#include <map>
#include <set>

namespace switchyard::desktop {

struct BookOptions
{
    QString kubeconfig;           // --kubeconfig; empty: where kubectl looks
    QStringList contexts;         // opened at the start; empty: those of last time, else the current one
    QStringList namespaces;       // of the command line, as Connection takes them; empty: not given
    kube::Overrides overrides;    // of the command line
    ConnectionOptions connection; // all but namespaces and execPool
    bool namesOne() const { return overrides != kube::Overrides() || !connection.apiServers.isEmpty(); } // they are for one cluster
};

class ContextBook : public QObject
{
    Q_OBJECT
public:
    ContextBook(BookOptions options, Monitor *monitor, Settings *settings, std::shared_ptr<kube::ExecTrust> trust, bool mayAsk,
                QObject *parent = nullptr);
    ~ContextBook() override;

    // A context whose connection must stay as it is for now (a write awaits its answer): it is opened anew later, and not closed.
    void setBusy(std::function<bool(const QString &context)> busy) { m_busy = std::move(busy); }
    void start();                                                            // reads the files and opens what is to be open
    void use(const kube::Kubeconfig &config, const QStringList &namespaces); // instead of files: the demo
    void reload();                                                           // the files changed
    void open(const QStringList &contexts);
    void close(const QStringList &contexts);
    void again(const QStringList &contexts); // connect anew; a program that was refused is asked about again
    void setNamespaces(const QStringList &contexts, const QStringList &namespaces);
    void setFavourite(const QStringList &contexts, bool favourite);
    void setAlias(const QString &context, const QString &alias);
    void setColour(const QStringList &contexts, const QString &colour);
    void setReadOnly(const QStringList &contexts, bool readOnly);
    void setProtected(const QStringList &contexts, bool isProtected);
    ContextGuard guard(const QString &context) const; // of an unknown one: none

    std::vector<items::ContextRow> rows() const;
    QString notice() const; // what is wrong with the files, or with what was asked for; empty: nothing

    void answer(const QString &hash, kube::ExecTrust::Answer answer);
    const kube::ExecQuestion *question(const QString &hash) const;

Q_SIGNALS:
    void changed();
    void asked(const QString &hash); // a program waits to be allowed: see question(), answer()

private:
    struct Entry
    {
        kube::ContextConfig config;
        ContextChoice choice;
        bool vanished = false;
        bool byHand = false;                                // the namespaces were chosen in this run: before the command line's
        mutable std::optional<kube::ContextConfig> shown{}; // flagged(config), which may read files
    };
    struct Cluster
    {
        QString server, name;
    };
    struct Pending
    {
        kube::ExecQuestion question;
        std::vector<std::function<void(kube::ExecTrust::Answer)>> waiting;
    };
    Result<kube::Kubeconfig> read();
    bool meant(const kube::ContextConfig &config) const;                  // by the flags of the command line
    kube::ContextConfig flagged(const kube::ContextConfig &config) const; // with those flags, where it is meant
    void take(const kube::Kubeconfig &config);
    void replaceConfig(Entry &entry, const kube::ContextConfig &config);
    void openEntry(const Entry &entry);
    bool busy(const QString &context) const { return m_busy && m_busy(context); }
    void openLater(const QString &context);
    void openFirst(const kube::Kubeconfig &config);
    QStringList namespacesOf(const Entry &entry) const; // empty: the context's own
    void remember(const QStringList &contexts);         // whether they are open: for those that the user opened or closed
    template<class What>
    void change(const QStringList &contexts, What what);
    bool unreadable(const QString &file) const;
    QString halfWritten(const kube::Kubeconfig &config); // a file that had contexts and now says nothing; empty: none
    QString questionOf(const Entry &entry) const;
    void ask(const kube::ExecQuestion &question, std::function<void(kube::ExecTrust::Answer)> answer);

    BookOptions m_options;
    Monitor *m_monitor;
    Settings *m_settings;
    std::shared_ptr<kube::ExecTrust> m_trust;
    std::function<bool(const QString &)> m_busy;
    std::map<QString, Entry> m_entries;
    std::map<QString, Pending> m_questions; // by hash
    kube::Surroundings m_around;
    kube::KubeconfigPlaces m_places;
    std::map<QString, Cluster> m_named; // opened at the start: the flags are meant for these, as long as they lead to the same cluster
    std::set<QString> m_later;          // will be opened anew
    QStringList m_spoke;                // files that could be read and were not empty
    QString m_current, m_askedNotice, m_fileNotice;
    std::vector<Error> m_fileProblems;
    kube::KubeconfigWatcher m_watcher;
};

} // namespace switchyard::desktop
