using MqttCheck.Profiles;
using MqttCheck.Server.Answers;

namespace MqttCheck.Server.Tests.Answers;

/// <summary>The first line of the page.</summary>
[TestFixture]
internal sealed class AnswerSentenceTests
{
    [Test]
    public void A_prediction_reads_as_a_sentence() =>
        Assert.That(
            AnswerSentence.Of(ProfileFile.Read("up1"), new("up1", 310, 20, .977, new(.801, .9999)), .95),
            Is.EqualTo(
                "310 clients: 98 of 100 sequences of ten messages have every answer within 20 ms "
                    + "(95 % interval 80 to 100)"
            )
        );

    [Test]
    public void Groups_with_sequences_of_different_lengths_are_said_so() =>
        Assert.That(
            AnswerSentence.Of(ProfileFile.Read("population"), new("population", 1, 20, .5, new(.4, .6)), .9),
            Is.EqualTo(
                "1 client: 50 of 100 sequences of 10 to 20 messages have every answer within 20 ms "
                    + "(90 % interval 40 to 60)"
            )
        );
}
