using MqttCheck.Profiles;

namespace MqttCheck.Tests.Profiles;

[TestFixture]
public sealed class LoadCourseTests
{
    // Two seconds as the waits say, one second four times as much, one second of silence.
    private static readonly LoadCourse s_course = new([new(2, 1), new(1, 4), new(1, 0)], 10_000);

    [TestCase(10_000, 500, 500, Description = "inside the first stage")]
    [TestCase(11_800, 200, 200, Description = "up to its very end")]
    [TestCase(12_000, 400, 100, Description = "four times as fast")]
    [TestCase(11_900, 300, 150, Description = "the busier stage begins during the wait")]
    [TestCase(12_900, 500, 1200, Description = "nobody sends in silence")]
    [TestCase(13_500, 0, 500, Description = "not even without a wait")]
    [TestCase(10_000, 60_000, 40_000, Description = "ten rounds")]
    [TestCase(50_000, 500, 500, Description = "and the next one is like the first")]
    [TestCase(9_000, 500, 500, Description = "the first load holds in the ramp-up")]
    [TestCase(9_900, 2_100, 2_100, Description = "and does not use up the first stage")]
    [TestCase(9_900, 2_500, 2_200, Description = "which ends as late as ever")]
    public void A_wait_is_used_up_by_the_load_of_each_stage(double now, double wait, double expected) =>
        Assert.That(s_course.Stretch(now, wait), Is.EqualTo(expected).Within(1e-6));

    [Test]
    public void As_many_messages_are_sent_as_the_loads_say()
    {
        var sent = new int[3];
        for (var now = 10_000.0; now < 10_000 + 4000 * 100; now += s_course.Stretch(now, 10))
            sent[s_course.StageAt(now)]++;
        Assert.That((sent[0], sent[1]), Is.EqualTo((20_000, 40_000)).Within(200));
        Assert.That(sent[2], Is.LessThan(200), "one message may fall on the boundary");
    }

    [Test]
    public void A_run_has_as_many_sequences_as_a_round_of_stages_takes()
    {
        var profile = ProfileFile.Read("up1").Groups[0].Profile with
        {
            SequenceLength = 10,
            WaitMilliseconds = new MqttCheck.Statistics.Laws.ConstantLaw(100),
            Stages = [new(3, 1), new(3, 3)],
        };
        var population = Population.Of(profile);
        // 6 s with 12 sequences of a second at a load of 1.
        Assert.That(
            (population.SequencesPerRound, new[] { 1, 12, 13 }.Select(population.WholeRounds)),
            Is.EqualTo((12, (int[])[12, 12, 24]))
        );
        Assert.That(profile.MeanWaitMilliseconds, Is.EqualTo(50));
        var steady = Population.Of(profile with { Stages = [] });
        Assert.That(new[] { 1, 12, 13 }.Select(steady.WholeRounds), Is.EqualTo([1, 12, 13]));
    }
}
