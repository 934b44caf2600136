// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/words_elections.h"

#include "views/words.h"

namespace switchyard::views {

QString electionSentence(const Event &event)
{
    return words(event.type) + QStringLiteral(": ") + QString::fromStdString(event.object);
}

} // namespace switchyard::views
