using MqttCheck.Profiles;

namespace MqttCheck.Tests.Profiles;

[TestFixture]
public sealed class RampUpTests
{
    private static readonly UsageProfile s_profile = ProfileFile.Read("up1").Groups[0].Profile;

    [TestCase(2.0, null, new[] { 0.0, 500, 1000, 1500 }, 2000)]
    [TestCase(0.0, 10.0, new[] { 0.0, 100, 200, 300 }, 400)]
    public void Clients_connect_evenly_over_the_time_or_at_the_rate(
        double seconds,
        double? perSecond,
        double[] starts,
        double end
    )
    {
        var profile = s_profile with { RampUpSeconds = seconds, ConnectsPerSecond = perSecond };
        var rampUp = RampUp.Of(Population.Of(profile), 4);
        Assert.That((rampUp.StartMilliseconds, rampUp.EndMilliseconds), Is.EqualTo((starts, end)));
    }

    [Test]
    public void Only_groups_with_a_ramp_up_have_one_and_the_last_ends_it()
    {
        var population = new Population
        {
            Name = "mixed",
            Groups =
            [
                new("slow", 1, s_profile with { RampUpSeconds = 3 }),
                new("fast", 1, s_profile with { ConnectsPerSecond = 2 }),
                new("others", 1, s_profile),
            ],
        };
        var rampUp = RampUp.Of(population, 6);
        Assert.That(rampUp.StartMilliseconds, Is.EqualTo([0, 0, double.NaN, 1500, 500, double.NaN]));
        Assert.That(rampUp.EndMilliseconds, Is.EqualTo(3000));
        Assert.That(RampUp.Of(Population.Of(s_profile), 6).StartMilliseconds, Is.Empty);
    }

    [Test]
    public void The_clock_knows_ramp_up_and_stages()
    {
        var population = new Population
        {
            Name = "mixed",
            Groups =
            [
                new("a", 1, s_profile with { RampUpSeconds = 2, Stages = [new(1, 1), new(1, 2)] }),
                new("b", 1, s_profile with { Stages = [new(3, 1), new(1, 2)] }),
            ],
        };
        var clock = StageClock.Of(population, 4)!;
        var stages = new[] { 0, 1.9, 2, 3, 4, 5, 6 }.Select(clock.StageAt).ToArray();
        Assert.That(stages[..2], Has.All.EqualTo(StageClock.RampUpStage));
        Assert.That(stages[2], Is.EqualTo(stages[4]).And.EqualTo(stages[6]));
        Assert.That(stages[2..6].Distinct().Count(), Is.EqualTo(3));
        Assert.That(StageClock.Of(Population.Of(s_profile), 4), Is.Null);
    }
}
