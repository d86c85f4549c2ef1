using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
internal sealed class SeedPurposesTests
{
    // Computed apart from this code, from the published SplitMix64 and xoshiro256++ (a script of twenty lines of
    // Python).
    [TestCase(SeedPurpose.Explore, 6729204656394047412ul, 2385032204222373914ul)]
    [TestCase(SeedPurpose.Predict, 10397617196969013246ul, 12781581848587738965ul)]
    [TestCase(SeedPurpose.Verify, 2952397622614807180ul, 7953863147026570729ul)]
    [TestCase(SeedPurpose.Broker, 13349847372902197864ul, 11998990050088638721ul)]
    [TestCase(SeedPurpose.Requirement, 9975084882730166350ul, 11446723742998539867ul)]
    [TestCase(SeedPurpose.MonteCarlo, 18122905251747350493ul, 17754709646312167066ul)]
    [TestCase(SeedPurpose.Action, 5787607675183459045ul, 14449360555161921675ul)]
    [TestCase(SeedPurpose.Pause, 18004957191099706472ul, 10755313733632880008ul)]
    public void A_seed_means_today_what_it_meant_in_every_earlier_version(SeedPurpose purpose, ulong of1, ulong of42) =>
        Assert.That((purpose.Seed(1), purpose.Seed(42)), Is.EqualTo((of1, of42)));

    [Test]
    public void Every_purpose_makes_its_own_choices() =>
        Assert.That(
            Enum.GetValues<SeedPurpose>().SelectMany(purpose => new[] { purpose.Seed(1), purpose.Seed(2) }),
            Is.Unique
        );

    [Test]
    public void A_purpose_with_many_streams_numbers_them_below_its_own()
    {
        var stream = SeedPurpose.Pause.Stream(3, 5, 6);
        var expected = RandomStream.For(3, 8, 5, 6);
        Assert.That(stream.NextUInt64(), Is.EqualTo(expected.NextUInt64()));
    }
}
