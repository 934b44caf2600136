// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All about one election: the sentence, the holder's Pod, what is wrong with its records, renewals, holders, the raw record.
#include "views/pages/elections/election_facts.h"
#include "views/pages/history/picture_rows.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QTabWidget;

namespace switchyard::views {

class Banner;
class ElidedLabel;
class FactsTable;
class PicturePanel;
class RenewChart;
class StateLabel;

class ElectionDetail : public QWidget
{
    Q_OBJECT
public:
    explicit ElectionDetail(QWidget *parent = nullptr);
    void show(const election::Election &election, Now now);
    void setPast(const election::Key &key, ElectionPast past); // of the one shown; of another, nothing happens
    void clear();                                              // none is chosen
    void tick(Now now);                                        // ages and countdowns
    QString sentence() const;
    QString warning() const;
    QString raw() const;

Q_SIGNALS:
    void pictureRequested(const QString &file, const QByteArray &bytes);

private:
    QWidget *buildWords();
    QWidget *buildRecord();
    void showFacts();
    void showHolders();
    void showRenewals();
    void showRaw();

    std::optional<election::Election> m_shown;
    ElectionPast m_past;
    RenewRows m_renewRows;
    Now m_now;
    ElidedLabel *m_name;
    StateLabel *m_state;
    QLabel *m_sentence, *m_explained;
    Banner *m_warning;
    QLabel *m_pod, *m_node, *m_acquired, *m_renewed, *m_rhythm, *m_created, *m_wishes, *m_since;
    QTabWidget *m_tabs;
    RenewChart *m_chart;
    PicturePanel *m_panel;
    FactsTable *m_renewTable, *m_holders;
    QPlainTextEdit *m_raw;
};

} // namespace switchyard::views
