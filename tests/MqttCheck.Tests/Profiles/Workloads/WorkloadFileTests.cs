using System.Text;
using System.Text.Json;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Profiles.Workloads;

public sealed class WorkloadFileTests
{
    [Test]
    public void Built_in_workloads_can_be_run([Values("fan-in", "fan-out", "pairs", "tbmq-p2p")] string name)
    {
        Assert.That(WorkloadFile.BuiltInNames, Does.Contain(name));
        var workload = WorkloadFile.Read(name);
        Assert.That(workload.Name, Is.EqualTo(name));
        Assert.That(workload.Validate(), Is.Empty);
    }

    [Test]
    public void The_scenario_of_TBMQ_is_what_it_publishes()
    {
        var workload = WorkloadFile.Read("tbmq-p2p");
        Assert.That(
            (workload.Shape, workload.Arrivals, workload.MessagesPerSecond / workload.Publishers),
            Is.EqualTo((WorkloadShape.Pairs, ArrivalKind.Constant, 1.0))
        );
        Assert.That(
            (workload.Qos, workload.SubscribeQos, workload.Version),
            Is.EqualTo((QualityOfService.AtLeastOnce, QualityOfService.AtLeastOnce, ProtocolVersion.V5))
        );
        Assert.That(workload.PersistentSubscribers);
        Assert.That(workload.WarmUp, Is.EqualTo(new LoadWarmUp(10, TimeSpan.FromSeconds(2))));
        Assert.That(
            (WorkloadTopics.Topic(workload, "x/", 7), WorkloadTopics.Filter(workload, "x/", 7)),
            Is.EqualTo(("europe/ua/kyiv/7/0", "europe/ua/kyiv/7/+"))
        );
    }

    [Test]
    public void The_example_of_the_documentation_can_be_run()
    {
        var text = File.ReadAllText(RepositoryFiles.At("docs/reference/bench.md"));
        var start = text.IndexOf("```json\n", StringComparison.Ordinal) + "```json\n".Length;
        var workload = Parse(text[start..text.IndexOf("```", start, StringComparison.Ordinal)]);
        Assert.That(workload.Name, Is.EqualTo("meters"));
        var bytes = new byte[workload.Payload.MaximumBytes];
        var random = RandomStream.For(1);
        workload.Payload.WritePattern(bytes);
        workload.Payload.Fill(bytes, 12, 34, 1_700_000_000_000, ref random);
        using var payload = JsonDocument.Parse(bytes);
        Assert.That(payload.RootElement.GetProperty("meter").GetString(), Is.EqualTo("000012"));
        Assert.That(payload.RootElement.GetProperty("time").GetInt64(), Is.EqualTo(1_700_000_000_000));
    }

    [TestCase("""{ "shape": "pairs" }""", "name")]
    [TestCase("""{ "name": "x", "shape": "ring" }""", "\"pairs\", \"fan-in\", \"fan-out\"")]
    [TestCase("""{ "name": "x", "arrivals": { "bursts": 5 } }""", "\"closed\", {\"constant\": RATE}")]
    [TestCase("""{ "name": "x", "arrivals": { "constant": 0 } }""", "above 0")]
    [TestCase("""{ "name": "x", "publishers": 5 }""", "as many of each")]
    [TestCase("""{ "name": "x", "qos": 3 }""", "0 .. 2")]
    [TestCase("""{ "name": "x", "payload": "2" }""", "a payload of 2 bytes")]
    [TestCase("""{ "name": "x", "topic": "a/+/b" }""", "wildcard")]
    [TestCase("""{ "name": "x", "topic": "same", "filter": "same" }""", "{publisher}")]
    [TestCase("""{ "name": "x", "filter": "other/{subscriber}" }""", "does not match")]
    [TestCase("""{ "name": "x", "filter": "{prefix}#" }""", "{subscriber}")]
    [TestCase("""{ "name": "x", "offline": { "share": 0.5, "seconds": 1 } }""", "persistent")]
    [TestCase(
        """{ "name": "x", "qos": 0, "persistentSubscribers": true, "offline": { "share": 0.5, "seconds": 1 } }""",
        "QoS 0"
    )]
    public void A_wrong_workload_is_one_message_that_says_what_is_allowed(string json, string part)
    {
        var wrong = Assert.Throws<InputException>(() => Parse(json));
        Assert.That(wrong!.Message, Does.StartWith("test.json").And.Contain(part));
        Assert.That(wrong.Message.Split('\n'), Has.Length.EqualTo(1));
    }

    private static Workload Parse(string json) => WorkloadFile.Parse(Encoding.UTF8.GetBytes(json), "test.json");
}
