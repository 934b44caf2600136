// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of tst_config_text: the name, then the columns. Apart from the test, as moc loses its way in such text.
#include <string>
#include <vector>

namespace switchyard::actions {

using ConfigCase = std::vector<std::string>;

std::vector<ConfigCase> keepsWhatItDoesNotUnderstandCases();
std::vector<ConfigCase> yamlTypesCases();
std::vector<ConfigCase> yamlMistakesCases();
std::vector<ConfigCase> patchCases();
std::vector<ConfigCase> mergeCases();

} // namespace switchyard::actions
