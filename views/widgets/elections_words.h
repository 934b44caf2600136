// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the elections model; values and order stay the model's own.
#include "models/items/elections_model.h"
#include "views/widgets/column_words.h"

#include <map>

namespace switchyard::views {

class ElectionsWords : public ColumnWords
{
    Q_OBJECT
public:
    explicit ElectionsWords(items::ElectionsModel *elections, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;
    void setAliases(const std::map<QString, QString> &aliases); // by context; shown, found and sorted by instead of its name
    static constexpr Duration glowTime = std::chrono::milliseconds(1500);
    void setGlow(bool on) { m_glow = on; } // off where the desktop asks for no animation

protected:
    ColumnHeader header(int column) const override;

private:
    QString display(const election::Election &e, int row, int column) const;
    QString toolTip(const election::Election &e, int row, int column) const;
    QString accessible(const election::Election &e, int row, int column) const;
    QString shownContext(const election::Election &e) const;
    QString rateText(int row) const;
    QVariant fraction(const election::Election &e, int column) const;
    bool glows(const QModelIndex &index) const;

    items::ElectionsModel *m_elections;
    std::map<QString, QString> m_aliases;
    bool m_glow = true;
};

} // namespace switchyard::views
