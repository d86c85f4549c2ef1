using MqttCheck.Predictions;
using MqttCheck.Server.Answers.Changes;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Tests.Answers.Changes;

/// <summary>Only what surely helps gets a place.</summary>
[TestFixture]
internal sealed class ChangeRankingTests
{
    [Test]
    public void A_change_that_may_be_noise_has_no_place()
    {
        var ranked = Ranked((.009, -.029, .048), (.2, .1, .3));
        Assert.That(
            ranked.Select(change => (change.Change, change.Place, change.Words)),
            Is.EqualTo([("1", 1, "helps"), ("0", (int?)null, "cannot be told apart from no change")])
        );
    }

    [Test]
    public void Changes_whose_intervals_overlap_share_a_place() =>
        Assert.That(Places((.5, .45, .55), (.3, .2, .4), (.25, .15, .35), (.05, .01, .1)), Is.EqualTo([1, 2, 2, 4]));

    // The first is above the second, and the third overlaps both.
    [Test]
    public void A_change_that_overlaps_two_others_puts_all_three_in_one_place() =>
        Assert.That(Places((.5, .45, .55), (.4, .38, .42), (.3, .1, .5)), Is.EqualTo([1, 1, 1]));

    [Test]
    public void What_makes_it_worse_and_what_is_not_known_follow_without_a_place()
    {
        var ranked = ChangeRanking.Ranked([
            Sensitivity.Unknown("unknown", "why"),
            Of("worse", (-.3, -.4, -.2)),
            Of("unsure", (-.4, -.9, .1)),
            Of("better", (.3, .2, .4)),
        ]);
        Assert.That(
            ranked.Select(change => (change.Change, change.Place)),
            Is.EqualTo([("better", 1), ("unsure", (int?)null), ("worse", null), ("unknown", null)])
        );
    }

    [Test]
    public void What_is_sure_only_in_the_model_has_no_place()
    {
        var open = ChangeRanking.Of("open", new(.5, .7, new(.15, .25), new(-.1, .5)), isSame: false);
        Assert.That(
            (ChangeRanking.Ranked([open])[0].Place, open.Words),
            Is.EqualTo(((int?)null, "helps in the model; on the broker it cannot be told apart from no change"))
        );
    }

    [Test]
    public void The_sentence_names_what_helps_most_of_those_that_surely_help()
    {
        Assert.That(Sentence((.009, -.029, .048)), Is.EqualTo("None of them is sure to help."));
        Assert.That(
            Sentence((.5, .45, .55), (.3, .2, .4), (.1, -.1, .9)),
            Is.EqualTo("Of those that surely help, this helps most: 0.")
        );
        Assert.That(
            Sentence((.5, .45, .55), (.5, .4, .6)),
            Is.EqualTo("Of those that surely help, these help most, and cannot be told apart: 0; 1.")
        );
    }

    private static string Sentence(params (double, double, double)[] changes) =>
        new Sensitivities(1, true, .9, Ranked(changes)).Sentence;

    private static IEnumerable<int?> Places(params (double, double, double)[] changes) =>
        Ranked(changes).Select(change => change.Place);

    private static IReadOnlyList<Sensitivity> Ranked(params (double, double, double)[] changes) =>
        ChangeRanking.Ranked(changes.Select((change, i) => Of($"{i}", change)));

    private static Sensitivity Of(string name, (double Difference, double Lower, double Upper) change) =>
        ChangeRanking.Of(
            name,
            new(.5, .5 + change.Difference, new Interval(change.Lower, change.Upper), null),
            isSame: false
        );
}
