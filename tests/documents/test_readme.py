import pytest
from documents.readme import lasting, played, shown


@pytest.mark.full
@pytest.mark.game("virus")
def test_the_ranking_of_the_readme_is_that_of_its_contest():
    assert lasting(shown()) == lasting(played())
