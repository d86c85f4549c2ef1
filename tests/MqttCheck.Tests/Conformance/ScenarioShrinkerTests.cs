using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Conformance;

[TestFixture]
internal sealed class ScenarioShrinkerTests
{
    [Test]
    public void Shrinking_ends_at_the_commands_that_matter()
    {
        var scenario = ScenarioText.Parse(
            "C connect clean; A connect resume will=~/w:1; & B connect clean; A subscribe ~/x/b:2 ~/c:1; C ping; B publish ~/x/b qos=2 retain dup; C drop; A hold; A publish ~/c qos=0",
            ProtocolVersion.V311, "text");
        Assert.That(Smallest(scenario, IsDeliveredAtQos2).ToString(), Is.EqualTo("A connect clean; A subscribe ~/a:2; A publish ~/a qos=2"));

        static bool IsDeliveredAtQos2(Scenario candidate)
        {
            var connected = new HashSet<int>();
            var filters = new HashSet<string>();
            foreach (var step in candidate.Steps)
            {
                if (step.Command is ConnectCommand) connected.Add(step.Client);
                if (!connected.Contains(step.Client)) continue;
                if (step.Command is SubscribeCommand subscribe) filters.UnionWith(subscribe.Requests.Where(r => r.Qos == QualityOfService.ExactlyOnce).Select(r => r.Filter));
                if (step.Command is PublishCommand { Qos: QualityOfService.ExactlyOnce } publish && filters.Contains(publish.Topic)) return true;
            }
            return false;
        }
    }

    [Test]
    public void Shrinking_always_comes_to_an_end()
    {
        var generator = new ScenarioGenerator(new GeneratorOptions { Versions = [ProtocolVersion.V5] });
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(3, 5).WithMaxTest(30),
            Prop.ForAll(Arb.From(generator.ToArbitrary().Generator), scenario => Smallest(scenario, _ => true).Steps.Count == 1));
    }

    private static Scenario Smallest(Scenario scenario, Predicate<Scenario> shows)
    {
        for (var steps = 0; steps < 1000; steps++)
        {
            if (ScenarioShrinker.Shrink(scenario).FirstOrDefault(candidate => candidate != ScenarioShrinker.Normalise(scenario) && shows(candidate)) is not { } smaller) return scenario;
            scenario = smaller;
        }
        throw new InvalidOperationException("shrinking does not end");
    }
}
