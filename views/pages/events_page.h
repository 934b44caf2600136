// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was seen since start, newest first.
#include "models/election/election.h"
#include "models/items/events_model.h"
#include "views/main_window.h"
#include "views/widgets/events_words.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/filter_proxy.h"

#include <QComboBox>
#include <QStackedWidget>
#include <QTableView>

class QLabel;

namespace switchyard::views {

class Banner;
class EmptyState;
class Sentence;

class EventsPage : public QWidget
{
    Q_OBJECT
public:
    explicit EventsPage(items::EventsModel *events, QWidget *parent = nullptr);
    void tick(Now now);
    void setContexts(const std::vector<ContextStatus> &contexts, Now now); // what is silent may have had events
    void focusFilter();
    void focusTable() { m_table->setFocus(); }
    const Event *selected() const;
    QTableView *table() const { return m_table; }

Q_SIGNALS:
    void opened(const switchyard::patroni::ClusterKey &key);
    void electionOpened(const switchyard::election::Key &key);
    void menuRequested(const QPoint &globalPos, const QList<QAction *> &copyActions);

private:
    void buildTable();
    void keepPlace();
    void fitColumns();
    void describe();

    items::EventsModel *m_events;
    EventsWords *m_words;
    FilterProxy *m_proxy;
    Sentence *m_sentence;
    Banner *m_silent;
    FilterBox *m_filter;
    QComboBox *m_kind;
    QLabel *m_count;
    QStackedWidget *m_stack;
    QTableView *m_table;
    EmptyState *m_empty;
    QTimer m_later;
    int m_fittedRows = 0;
    QFont m_fittedFont;
    Now m_now;
};

} // namespace switchyard::views
