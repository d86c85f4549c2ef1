using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles;

namespace MqttCheck.Tests.Profiles;

[TestFixture]
public sealed class FleetSizesTests
{
    private const int Most = 20_000;

    private static readonly Population s_plant = ProfileFile.Read("population");

    [Test]
    public void Numbers_are_of_whole_populations()
    {
        var sizes = FleetSizes.TryParse("100,20,100", Most)!;
        Assert.That((sizes.Counts, sizes.Largest), Is.EqualTo(((int[])[20, 100], 100)));
        Assert.That(sizes.Of([s_plant]), Is.EqualTo([new AskedFleet(s_plant, sizes.Counts)]));
    }

    [TestCase("")]
    [TestCase("0")]
    [TestCase("20001")]
    [TestCase("20,x")]
    [TestCase("20,sensors=5")]
    [TestCase("sensors=")]
    [TestCase("=5")]
    [TestCase("sensors=0+dashboards=0")]
    [TestCase("sensors=1+sensors=2")]
    [TestCase("sensors=15000+dashboards=15000")]
    [TestCase("sensors=-5")]
    public void Others_are_none(string text) => Assert.That(FleetSizes.TryParse(text, Most), Is.Null);

    [Test]
    public void Every_group_needs_a_number_and_no_other()
    {
        Assert.That(
            () => FleetSizes.TryParse("sensors=5+dashboards=1", Most)!.Of([s_plant]),
            Throws
                .InstanceOf<InputException>()
                .With.Message.Contains("group 'gateways' missing")
                .And.Message.Contains("such as sensors=5+dashboards=1+gateways=0 (")
        );
        Assert.That(
            () => FleetSizes.TryParse("sensors=5+dashboards=1+gateways=1+doors=2", Most)!.Of([s_plant]),
            Throws.InstanceOf<InputException>().With.Message.Contains("group 'doors' given")
        );
    }

    [Test]
    public void Multiples_of_one_mix_are_one_population_and_other_mixes_have_names_of_their_own()
    {
        var one = FleetSizes
            .TryParse("sensors=300+dashboards=10+gateways=0,sensors=600+dashboards=20+gateways=0", Most)!
            .Of([s_plant]);
        Assert.That((one.Single().Clients, one[0].Population.Name), Is.EqualTo(((int[])[310, 620], "population")));
        Assert.That(one[0].Population.Groups.Select(group => group.Name), Is.EqualTo(["sensors", "dashboards"]));
        var two = FleetSizes
            .TryParse("sensors=300+dashboards=10+gateways=0,sensors=300+dashboards=20+gateways=0", Most)!
            .Of([s_plant]);
        Assert.That(
            two.Select(fleet => fleet.Population.Name),
            Is.EqualTo(["population.sensors30.dashboards1", "population.sensors15.dashboards1"])
        );
    }

    [Test]
    public void The_fleet_has_exactly_the_asked_clients_of_each_group() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(29, 7).WithMaxTest(200),
            Prop.ForAll(
                Gen.Choose(0, 900).Three().Where(sizes => sizes.Item1 + sizes.Item2 + sizes.Item3 > 0).ToArbitrary(),
                sizes =>
                {
                    var text = $"sensors={sizes.Item1}+dashboards={sizes.Item2}+gateways={sizes.Item3}";
                    var fleet = FleetSizes.TryParse(text, Most)!.Of([s_plant]).Single();
                    var groups = fleet
                        .Population.Assign(fleet.Clients.Single())
                        .CountBy(group => fleet.Population.Groups[group].Name)
                        .ToDictionary();
                    return groups.GetValueOrDefault("sensors") == sizes.Item1
                        && groups.GetValueOrDefault("dashboards") == sizes.Item2
                        && groups.GetValueOrDefault("gateways") == sizes.Item3;
                }
            )
        );
}
