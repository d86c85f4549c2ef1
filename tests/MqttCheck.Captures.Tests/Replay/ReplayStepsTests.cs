using MqttCheck.Captures.Files;
using MqttCheck.Captures.Logs;
using MqttCheck.Captures.Replay;
using MqttCheck.Captures.Tests.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Captures.Tests.Replay;

/// <summary>Whatever a capture holds, its steps can be sent.</summary>
[TestFixture]
internal sealed class ReplayStepsTests : DirectoryFixture
{
    private const int Mutations = 100;

    // Mutation n has the seed n, so a failure says how to repeat it.
    [Test]
    public void Steps_of_mutated_captures_can_be_encoded()
    {
        byte[][] originals = [Scenes.Plant().PcapNg(), Scenes.Plant(version: ProtocolVersion.V5).Pcap()];
        var (messages, packets) = (0, 0);
        for (var seed = 0; seed < Mutations; seed++)
        {
            var bytes = FuzzTests.Mutated(originals[seed % originals.Length], new Random(seed));
            foreach (var step in Steps(bytes, out _))
            {
                messages += step.Message is null ? 0 : 1;
                packets += step.Packet is null ? 0 : 1;
                if (step.Packet is { } packet)
                    Assert.That(PacketEncoder.Encode(packet, ProtocolVersion.V5), Is.Not.Empty, $"seed {seed}");
                Assert.That(step.Message?.Topic.Length ?? 0, Is.AtMost(TopicName.MaximumBytes), $"seed {seed}");
                Assert.That(step.Message?.Size ?? 0, Is.AtMost(8 << 20), $"seed {seed}");
            }
        }
        Assert.That(Math.Min(messages, packets), Is.GreaterThan(Mutations), "most is still sent");
    }

    [Test]
    public void A_name_whose_hash_is_too_long_is_left_out()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var client = traffic.Connection(50_001).Open();
        client.Send(true, talk.Connect("long")).Send(false, talk.Connack());
        var name = string.Join('/', Enumerable.Repeat("a", 10_000));
        client.Send(true, talk.Subscribe(1, name)).Send(true, talk.Publish(name, "1"));
        client.Send(true, talk.Publish("short", "2"));

        var steps = Steps(traffic.PcapNg(), out var leftOut).ToList();

        Assert.That(steps.Count(step => step.Message is not null), Is.EqualTo(1));
        Assert.That(leftOut.TooLong, Is.EqualTo(2));
    }

    private List<ReplayStep> Steps(byte[] bytes, out ReplayLeftOut leftOut)
    {
        leftOut = new();
        if (!CaptureFormat.IsCapture(bytes))
            return [];
        File.WriteAllBytes(In("mutated.pcap"), bytes);
        var capture = new CaptureRequest(In("mutated.pcap"), "", "1.2.3");
        ReplaySurvey survey;
        try
        {
            survey = ReplaySurvey.Of(capture);
        }
        catch (InputException)
        {
            // Nothing of MQTT is left, or an address was hit and there are two brokers.
            return [];
        }
        var share = new ReplayShare(survey.Names.Clients.Keys, 1, 1);
        var setup = new ReplaySetup
        {
            Capture = capture,
            Endpoint = null!,
            Prefix = "run/1/",
        };
        var steps = new List<ReplayStep>();
        var reading = new ReplaySteps(survey, setup, share, leftOut, steps.Add);
        CapturePackets.Read(capture, reading, zero => reading.Zero = zero, new CaptureCounts(), out _);
        return steps;
    }
}
