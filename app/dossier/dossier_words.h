// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The words of a dossier.
#include "models/events/dossier.h"

#include <QCoreApplication>
#include <QString>

namespace switchyard::dossier {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Dossier)
};

QString timeOf(Instant t);    // "2031-02-01 06:00:11.402 UTC"
QString timeOfEnd(Instant t); // the same, never earlier: where a span ends
QString memberName(const std::optional<std::string> &name);
QString causeSentence(const Cause &cause, const patroni::Transition &transition);
QString certaintySentence(const Cause &cause);
QString evidenceSentence(const patroni::Evidence &evidence);
QString clockWords(const DossierMoment &moment);
QString momentSentence(const DossierMoment &moment, const patroni::Transition &transition);
QString sourceWords(patroni::Source source); // empty: none

} // namespace switchyard::dossier
