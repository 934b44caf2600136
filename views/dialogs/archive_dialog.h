// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Looks for words in all that the archive holds, and takes notes on transitions. Stays open beside the window.
#include "models/items/fleet_model.h" // the key of a cluster as a type that signals carry

#include <QDialog>
#include <QTimer>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace switchyard::views {

// One thing that was found.
struct ArchiveHit
{
    patroni::ClusterKey cluster;
    Instant at{};
    QString kind; // event transition request config audit note timeline
    QString id;   // of the event, transition ...
    QString text;
    bool ofHolder = false; // an event that tells of a change of an election's holder: notes on it, as on a transition
    bool operator==(const ArchiveHit &) const = default;
};

class ArchiveDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ArchiveDialog(QWidget *parent = nullptr);
    void setState(const QString &text); // where the archive is, how large, what is wrong
    void setHits(const QString &words, const std::vector<ArchiveHit> &hits, bool more);
    void addHits(const std::vector<ArchiveHit> &hits, bool more);
    void setProblem(const QString &text); // instead of hits
    void setNotes(const QString &transition, const QStringList &notes);
    void focusSearch();

Q_SIGNALS:
    void searched(const QString &words);
    void moreWanted();
    void transitionChosen(const switchyard::views::ArchiveHit &hit);
    void noteWritten(const switchyard::views::ArchiveHit &transition, const QString &text);
    void opened(const switchyard::patroni::ClusterKey &key);

private:
    void chosen();
    const ArchiveHit *current() const;

    std::vector<ArchiveHit> m_hits;
    QLineEdit *m_words;
    QTableView *m_table;
    QStandardItemModel *m_model;
    QLabel *m_count;
    QPushButton *m_more;
    QLabel *m_notesTitle;
    QPlainTextEdit *m_notes;
    QLineEdit *m_note;
    QPushButton *m_add;
    QLabel *m_state;
    QTimer m_later;
};

} // namespace switchyard::views
