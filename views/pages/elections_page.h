// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every leader election of the opened contexts, Patroni's locks among them; below, all about the chosen one. Nothing here is ever written.
#include "models/election/election_store.h"
#include "views/main_window.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace switchyard::items {
class ElectionsModel;
}

namespace switchyard::views {

class Banner;
class ElectionDetail;
class ElectionsTable;
class EmptyState;
class FilterBox;
class Sentence;
struct ElectionPast;

class ElectionsPage : public QWidget
{
    Q_OBJECT
public:
    // The whole of one: the table keeps less.
    using Lookup = std::function<std::optional<election::Election>(const election::Key &)>;

    explicit ElectionsPage(QWidget *parent = nullptr);
    void setLookup(Lookup lookup);
    void update(const std::vector<const election::Election *> &changed, const std::vector<election::Key> &removed, Now now);
    void updateAll(const std::vector<const election::Election *> &all, Now now); // whatever is not among them is gone
    void setSources(std::vector<election::Source> sources);                      // what may not be read, or is silent, may hold elections
    // API servers many of whose locks are late at once: Patroni's, and those of other elections.
    void setLateTogether(std::vector<LateLocks::Together> locks, std::vector<LateLocks::Together> elections);
    void setContexts(const std::vector<ContextStatus> &contexts);
    void setPast(const election::Key &key, ElectionPast past); // what an archive remembers of the chosen one
    void tick(Now now);
    void focusFilter();
    void focusTable();
    void choose(const election::Key &key); // whatever the filters say
    std::optional<election::Key> chosen() const;
    std::vector<election::Key> shown() const; // in the order of the table
    bool showsNoise() const;
    const items::ElectionsModel *model() const { return m_model; }
    QTableView *table() const;
    ElectionDetail *detail() const { return m_detail; }

Q_SIGNALS:
    void shownInDetail(const switchyard::election::Key &key);    // another one than before: its past is wanted
    void patroniRequested(const switchyard::election::Key &key); // the cluster of that lock
    void menuRequested(const QPoint &globalPos, const QList<QAction *> &copyActions);
    void pictureRequested(const QString &file, const QByteArray &bytes);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildLine();
    void connectTable();
    void describe();
    void describeEmpty(int all, int noise);
    void describeChosen();
    void describeSources();
    void later();

    items::ElectionsModel *m_model;
    ElectionsTable *m_table;
    ElectionDetail *m_detail;
    Sentence *m_sentence;
    Banner *m_suspect, *m_unread;
    FilterBox *m_filter;
    QComboBox *m_kind;
    QCheckBox *m_noise;
    QLabel *m_count;
    QWidget *m_line;
    QStackedWidget *m_stack;
    QSplitter *m_splitter;
    EmptyState *m_empty;
    Lookup m_lookup;
    std::vector<election::Source> m_sources;
    std::vector<LateLocks::Together> m_lateLocks, m_lateElections;
    QTimer m_later;
    bool m_chosenChanged = false;
    std::optional<election::Key> m_inDetail;
};

} // namespace switchyard::views

Q_DECLARE_METATYPE(switchyard::election::Key)
