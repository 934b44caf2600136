// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the events model.
#include "models/items/events_model.h"
#include "views/style/colors.h"
#include "views/widgets/column_words.h"

namespace switchyard::views {

Tone toneOf(EventCode code);

class EventsWords : public ColumnWords
{
    Q_OBJECT
public:
    explicit EventsWords(items::EventsModel *events, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;

protected:
    ColumnHeader header(int column) const override;

private:
    QString display(const Event &event, int column) const;
    QString toolTip(const Event &event, int column) const;

    items::EventsModel *m_events;
};

} // namespace switchyard::views
