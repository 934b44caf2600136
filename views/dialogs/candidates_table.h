// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whom to switch to: "Patroni decides" where that is possible, then each member with why it is or is not fit.
#include "models/rules/preflight.h"

#include <QTableWidget>

namespace switchyard::views {

class CandidatesTable : public QTableWidget
{
    Q_OBJECT
public:
    explicit CandidatesTable(QWidget *parent = nullptr);
    void setOpenChoice(bool open); // with "Patroni decides"
    // Keeps the choice by name. A chosen member that has left stays chosen and is shown as gone.
    void show(const patroni::Cluster &cluster, const rules::Preflight &preflight, const rules::LiveAnswers &answers = {}, Now now = {});
    std::optional<std::string> chosen() const; // nullopt: Patroni decides, or nobody is chosen yet
    void choose(const std::optional<std::string> &member);

Q_SIGNALS:
    void choiceChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Line
    {
        std::optional<std::string> member;
        bool fit = false;
        QStringList cells;
        QString toolTip;
        bool operator==(const Line &) const = default;
    };
    static Line decides(const rules::Preflight &preflight);
    static Line lineOf(const patroni::Cluster &cluster, const rules::MemberVerdict &verdict, const rules::LiveAnswers &answers, Now now);
    void fill(int row);
    void fit();

    QList<Line> m_lines;
    std::optional<std::string> m_chosen;
    bool m_open = true;
    bool m_filling = false;
};

} // namespace switchyard::views
