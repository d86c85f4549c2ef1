using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Verification.Deciding;

/// <summary>Rounds of two brokers that are compared.</summary>
[TestFixture]
internal sealed class RunTallyTests
{
    [Test]
    public void A_round_counts_only_with_all_of_its_runs_and_gives_those_that_count()
    {
        var tally = new RunTally<RecordedRun>();
        RecordedRun sound = RecordedRun.Sound,
            late = RecordedRun.Late(2);
        Assert.That(
            Add(tally, sound, sound),
            Is.EqualTo(new UsedRun<RecordedRun>[] { new(sound, true), new(sound, true) })
        );
        Assert.That((tally.Counted, tally.Invalid, tally.Rounds), Is.EqualTo((1, 0, 1)));
        Assert.That(
            Add(tally, sound, late),
            Is.EqualTo(new UsedRun<RecordedRun>[] { new(sound, true), new(late, false) })
        );
        Assert.That((tally.Counted, tally.Invalid, tally.Rounds), Is.EqualTo((1, 1, 2)));
        Assert.That(
            Add(tally, late, late),
            Is.EqualTo(new UsedRun<RecordedRun>[] { new(late, false), new(late, false) })
        );
        Assert.That((tally.Counted, tally.Invalid, tally.Rounds), Is.EqualTo((1, 2, 3)));
        Assert.That(Add(tally, sound, null), Is.Null);
        Assert.That(
            (tally.Counted, tally.Invalid, tally.Rounds, tally.CountedRuns.Count(), tally.InvalidRuns.Count()),
            Is.EqualTo((1, 2, 4, 4, 3))
        );
    }

    // All runs in the second place are late, and one of three in the first.
    [Test]
    public void Each_place_of_a_round_has_its_own_reason_to_withhold_a_verdict()
    {
        var tally = After(
            [RecordedRun.Sound, RecordedRun.Late(2)],
            [RecordedRun.Late(3), RecordedRun.Late(4)],
            [RecordedRun.Sound, null]
        );
        Assert.That(tally.WhyWithheld(), Is.Null);
        Assert.That(
            tally.WhyWithheld(1),
            Does.StartWith("2 of 2 runs are invalid: The generator sent up to 4 ms late")
        );
    }

    // In the second place no run is sound until the last round: more of them promise nothing.
    [Test]
    public void Runs_that_cannot_be_used_may_recover_where_each_place_that_lacks_a_majority_had_a_sound_one()
    {
        RecordedRun?[][] rounds =
        [
            [RecordedRun.Sound, RecordedRun.Unsettled],
            [RecordedRun.Unsettled, RecordedRun.Unsettled],
            [RecordedRun.Unsettled, RecordedRun.Unsettled],
            [RecordedRun.Unsettled, RecordedRun.Sound],
        ];
        // One run that never settles withholds nothing.
        Assert.That(
            Enumerable.Range(0, 5).Select(made => After(rounds[..made]).MayRecover),
            Is.EqualTo([false, false, false, false, true])
        );
    }

    [Test]
    public void Runs_that_can_be_used_need_no_recovery()
    {
        var tally = After([RecordedRun.Sound], [RecordedRun.Sound], [RecordedRun.Unsettled]);
        Assert.That(tally.MayRecover, Is.False);
    }

    [Test]
    public void Runs_that_do_not_count_are_named_for_the_places_that_are_asked_for()
    {
        var tally = After([RecordedRun.Sound, RecordedRun.Late(2)], [RecordedRun.Sound, RecordedRun.Late(3)]);
        Assert.That(tally.InvalidInWords(), Is.Null);
        Assert.That(tally.InvalidInWords(1), Does.StartWith("2 of 2 runs do not count: The generator sent up to 3 ms"));
        Assert.That(tally.InvalidInWords(0, 1), Does.StartWith("2 of 4 runs do not count: "));
    }

    [Test]
    public void The_time_of_all_rounds_and_the_longest_one_are_kept()
    {
        var tally = new RunTally<RecordedRun>();
        foreach (var seconds in new[] { 2, 5, 3 })
            tally.Add([RecordedRun.Sound], RunJudgement.UseOf, TimeSpan.FromSeconds(seconds));
        tally.Add([null], RunJudgement.UseOf, TimeSpan.FromSeconds(4));
        Assert.That((tally.Spent.TotalSeconds, tally.Longest.TotalSeconds), Is.EqualTo((14.0, 5.0)));
    }

    private static RunTally<RecordedRun> After(params RecordedRun?[][] rounds)
    {
        var tally = new RunTally<RecordedRun>();
        foreach (var round in rounds)
            Add(tally, round);
        return tally;
    }

    private static IReadOnlyList<UsedRun<RecordedRun>>? Add(RunTally<RecordedRun> tally, params RecordedRun?[] round) =>
        tally.Add(round, RunJudgement.UseOf, TimeSpan.FromSeconds(1));
}
