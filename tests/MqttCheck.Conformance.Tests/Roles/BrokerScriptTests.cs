using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Searching;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Text;

namespace MqttCheck.Conformance.Tests.Roles;

[TestFixture]
internal sealed class BrokerScriptTests
{
    [Test]
    public void A_generated_script_is_read_as_it_is_written_and_so_is_each_shorter_one()
    {
        for (var number = 0; number < 300; number++)
        {
            var script = BrokerScriptGenerator.Draw(7, number);
            Assert.That(BrokerScript.Parse(script.ToString(), "test"), Is.EqualTo(script));
            foreach (var cut in ScriptShrinker.Cuts(script))
            {
                var shorter = ScriptShrinker.Apply(script, [cut]);
                Assert.That(BrokerScript.Parse(shorter.ToString(), "test"), Is.EqualTo(shorter));
            }
        }
    }

    [Test]
    public void A_seed_and_a_number_draw_one_script()
    {
        var scripts = Enumerable.Range(0, 90).Select(number => BrokerScriptGenerator.Draw(7, number).ToString());
        Assert.That(
            scripts,
            Is.EqualTo(Enumerable.Range(0, 90).Select(n => BrokerScriptGenerator.Draw(7, n).ToString()))
        );
        Assert.That(scripts.Distinct().Count(), Is.GreaterThan(60));
    }

    [Test]
    public void Every_hostile_packet_is_drawn_unless_none_is_wanted()
    {
        var count = HostilePackets.Names.Count * 9;
        var drawn = Enumerable
            .Range(0, count)
            .SelectMany(number => BrokerScriptGenerator.Draw(7, number).Acts.ToArray());
        Assert.That(
            drawn.Where(act => act.Verb == BrokerVerbs.Malformed).Select(act => act.Words[0]).Distinct(),
            Is.EquivalentTo(HostilePackets.Names)
        );
        Assert.That(
            Enumerable
                .Range(0, count)
                .SelectMany(n => BrokerScriptGenerator.Draw(7, n, withMalformed: false).Acts.ToArray()),
            Has.None.Matches<BrokerAct>(act => act.Verb == BrokerVerbs.Malformed)
        );
    }

    [TestCase("acept", "accept")]
    [TestCase("await", "publish")]
    [TestCase("await count=2", "publish")]
    [TestCase("wait", "ms=N")]
    [TestCase("send qos=3", "qos=N with N from 0 to 2")]
    [TestCase("malformed nothing", "second-connack")]
    [TestCase("close now", "nothing")]
    public void A_wrong_line_is_refused_with_what_is_allowed(string line, string allowed) =>
        Assert.That(
            () => BrokerScript.Parse(line, "--steps"),
            Throws.TypeOf<InputException>().With.Message.StartsWith("--steps: ").And.Message.Contains(allowed)
        );

    [Test]
    public void A_remark_and_an_empty_line_are_no_lines() =>
        Assert.That(BrokerScript.Parse("// why\n\naccept;; close", "test").ToString(), Is.EqualTo("accept; close"));

    // The misplaced ones are well formed.
    [Test]
    public void A_hostile_packet_breaks_a_rule_in_each_version_that_has_it(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var packets = HostilePackets
            .Names.Where(name => name != "second-connack")
            .Select(name => (Name: name, Bytes: HostilePackets.Bytes(name, version, "t")))
            .Where(packet => packet.Bytes is not null)
            .ToList();
        Assert.That(packets, Has.Count.GreaterThan(10));
        foreach (var (name, bytes) in packets)
            Assert.That(PacketDecoder.Observe(bytes, version, PacketOrigin.Server).IsLegal, Is.False, name);
    }

    [Test]
    public async Task Shrinking_keeps_the_lines_that_matter()
    {
        var script = BrokerScript.Parse(
            "accept window=2; hold puback; await publish count=8; send qos=1 count=4 retain; close; wait ms=900",
            "test"
        );
        var shortest = await ScriptShrinker.ShrinkAsync(
            script,
            scripts => Task.FromResult(scripts.Select(one => Shows(one)).ToArray())
        );
        Assert.That(shortest.ToString(), Is.EqualTo("accept; send retain; close"));
    }

    private static bool Shows(BrokerScript script)
    {
        var acts = script.Acts.ToArray().ToList();
        var sent = acts.FindIndex(act => act.Verb == BrokerVerbs.Send && act.Has("retain"));
        return sent > 0
            && acts.FindIndex(act => act.Verb == BrokerVerbs.Accept) is >= 0 and var accepted
            && accepted < sent
            && acts.FindIndex(sent, act => act.Verb == BrokerVerbs.Close) > sent;
    }
}
