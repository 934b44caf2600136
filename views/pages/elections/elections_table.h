// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of elections: troubled ones first, heartbeats and identities left out unless asked for, columns that fit.
#include "views/widgets/cellwise_table.h"
#include "views/widgets/elections_words.h"
#include "views/widgets/filter_proxy.h"

namespace switchyard::views {

class ElectionsProxy : public FilterProxy
{
    Q_OBJECT
public:
    using FilterProxy::FilterProxy;
    void setNoise(bool shown);
    bool noise() const { return m_noise; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    bool m_noise = false;
};

class ElectionsTable : public CellwiseTable
{
    Q_OBJECT
public:
    explicit ElectionsTable(items::ElectionsModel *elections, QWidget *parent = nullptr);
    ElectionsProxy *proxy() const { return m_proxy; }
    ElectionsWords *words() const { return m_words; }
    const election::Election *current() const; // of the row that the cursor is on
    void choose(int sourceRow);
    void setContextShown(bool shown); // one context: its name says nothing
    void fit();                       // by header and the rows in sight: thousands are not asked
    void fade();                      // cells that glow, or did a second ago, are painted anew

Q_SIGNALS:
    void currentChosen();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void measure();
    void place();

    items::ElectionsModel *m_elections;
    ElectionsWords *m_words;
    ElectionsProxy *m_proxy;
    std::array<int, items::ElectionsModel::ColumnCount> m_ideal{};
    bool m_placing = false, m_resizedByUser = false;
};

} // namespace switchyard::views
