using System.Xml.Linq;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Tests.Exchange;

public sealed class UppaalTests
{
    [Test]
    public void Clients_that_are_alike_share_a_template_and_weights_become_branches()
    {
        var setup = new SimulatedFleet { Population = Population.Of(TestProfiles.Up1), Clients = 3 };
        var model = new NetworkModel
        {
            Network = ClientNetwork.Of(
                setup,
                new LawLatencyModel(
                    new MixtureLaw([new(.95, new LogNormalLaw(5, .5)), new(.05, new NormalLaw(40, 10))])
                )
            ),
            Properties =
            [
                new NetworkProperty.Probability(
                    "in time",
                    new PathFormula.Eventually(ClientNetwork.AllInTime(20), new(0, 100_000))
                ),
            ],
        };
        var nta = XDocument.Parse(UppaalWriter.ToXml(model)).Root!;
        Assert.That(nta.Elements("template").Count(), Is.EqualTo(2), "the observed client and the others");
        Assert.That(
            nta.Element("system")!.Value,
            Does.Contain("client2 = Tclient1();").And.Contain("system client0, client1, client2;")
        );
        Assert.That(nta.Descendants("formula").Single().Value, Is.EqualTo("Pr[<=100000](<> (done && (worst < 20)))"));
        var labels = nta.Descendants("label")
            .Select(label => (Kind: label.Attribute("kind")!.Value, label.Value))
            .ToList();
        Assert.That(
            labels,
            Does.Contain(("invariant", "(c <= d)"))
                .And.Contain(("guard", "((c >= d) && (left > 1))"))
                .And.Contain(("probability", "95"))
                .And.Contain(("probability", "5"))
        );
        Assert.That(
            labels.Any(label => label.Value.Contains("d = fmax(0, random_normal(40, 10))", StringComparison.Ordinal)),
            Is.True
        );
        foreach (var template in nta.Elements("template"))
        {
            var known = template
                .Elements("location")
                .Concat(template.Elements("branchpoint"))
                .Select(node => node.Attribute("id")!.Value)
                .ToHashSet();
            Assert.That(
                template.Descendants().Attributes("ref").Select(reference => reference.Value).Distinct(),
                Is.SubsetOf(known)
            );
        }
    }

    [Test]
    public void What_UPPAAL_SMC_has_not_is_refused_by_name()
    {
        var stages = SampleNetworks.Stages(Draw(Distribution.Triangular, 0, 2, 1));
        WrongValue.AssertRefused(
            ("the distribution Triangular cannot be written", () => UppaalWriter.ToXml(new() { Network = stages })),
            (
                "the invariant (in == out) bounds no clock",
                () => UppaalWriter.ToXml(new() { Network = SampleNetworks.Queue(.8, 1) })
            )
        );
        var unbounded = new NetworkProperty.Probability("p", new PathFormula.Eventually(Of("done"), TimeBound.Any));
        Assert.That(
            () => UppaalWriter.ToXml(new() { Network = SampleNetworks.Stages(1.0), Properties = [unbounded] }),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("property p")
                .And.Message.Contains("up to a time bound")
        );
    }
}
