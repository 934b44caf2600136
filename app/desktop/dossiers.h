// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fills the dossier page, copies and saves what it shows.
#include "models/events/dossier.h"
#include "views/main_window.h"

namespace switchyard {
class Monitor;
}

namespace switchyard::desktop {

class Dossiers : public QObject
{
    Q_OBJECT
public:
    Dossiers(Monitor *monitor, views::MainWindow *window, QString auditPath, QObject *parent = nullptr);

    // People's notes on a transition, from where they are kept. Without it there are none.
    using Notes = std::function<std::vector<DossierNote>(const patroni::ClusterKey &key, const std::string &transition)>;
    void setNotes(Notes notes) { m_notes = std::move(notes); }
    // What an archive remembers beside what this run has seen. Without it there is nothing.
    struct Remembered
    {
        patroni::Cluster cluster; // with transitions of before
        std::vector<Event> events;
        std::vector<SeenObject> objects; // credentials masked
    };
    using Remember = std::function<Remembered(const patroni::Cluster &cluster)>;
    void setRemember(Remember remember) { m_remember = std::move(remember); }
    // Of the open cluster; nullopt: no such transition.
    std::optional<Dossier> make(const QString &transition) const;
    void show(const QString &transition); // anew

private:
    void copy(const QString &transition);
    void save(const QString &transition, const QString &format, const QString &file);
    std::vector<DossierAudit> audit() const;

    Monitor *m_monitor;
    views::MainWindow *m_window;
    QString m_auditPath;
    Notes m_notes;
    Remember m_remember;
};

} // namespace switchyard::desktop
