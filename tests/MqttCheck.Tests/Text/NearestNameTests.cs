using MqttCheck.Text;

namespace MqttCheck.Tests.Text;

[TestFixture]
internal sealed class NearestNameTests
{
    private static readonly string[] s_names = ["run", "report", "node-dies", "bridge-pair"];

    [TestCase("rnu", ExpectedResult = "; did you mean 'run'?")]
    [TestCase("rum", ExpectedResult = "; did you mean 'run'?")]
    [TestCase("node-die", ExpectedResult = "; did you mean 'node-dies'?")]
    [TestCase("bridge-pare", ExpectedResult = "; did you mean 'bridge-pair'?")]
    [TestCase("brid", ExpectedResult = "; did you mean 'bridge-pair'?")]
    [TestCase("x", ExpectedResult = "")]
    [TestCase("entirely", ExpectedResult = "")]
    [TestCase("", ExpectedResult = "")]
    public string A_word_is_near_to_a_name_that_differs_in_few_letters(string word) => NearestName.Meant(word, s_names);
}
