using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using MqttCheck.App.Clusters.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Cluster;
using MqttCheck.Cli.Tests.Cluster.Pages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>The page and the file of a cluster's live runs.</summary>
[TestFixture]
internal sealed partial class ClusterRunPageTests : DirectoryFixture
{
    private static readonly Topology s_pair = ClusterInput.Topology("bridge-pair") with
    {
        Scenario = ClusterInput.Scenario("node-dies"),
    };

    [Test]
    public void The_page_answers_draws_the_worst_run_first_and_folds_the_examples()
    {
        var page = PageOf([Run(lost: 1), Run(lost: 25)]);
        Assert.That(
            page,
            Does.Contain(
                "No: when node a dies, 26 of 226 acknowledged messages are lost in 2 of 2 runs; all of them were "
                    + "published while node a was away"
            )
        );
        Assert.That(
            page.IndexOf("<h3>Run 2: 125 messages, 25 lost</h3>", StringComparison.Ordinal),
            Is.InRange(1, page.IndexOf("<summary>Run 1: 101 messages, 1 lost</summary>", StringComparison.Ordinal))
        );
        Assert.That(
            page,
            Does.Contain(
                "durability: an acknowledged message never came to a session that the broker has to keep, 26 times"
            )
        );
        Assert.That(page, Does.Contain("20 more of &#39;durability&#39;; 5 others are not kept"));
        Assert.That(
            page,
            Does.Contain(
                "For example, in run 1: a-1 #101 on t/0 was acknowledged and never came to the session of reader a-1"
            )
        );
        Assert.That(page, Does.Contain("<li><span>5.000 s</span> node a was killed</li>"));
    }

    [Test]
    public void No_message_has_the_number_of_an_event()
    {
        var run = new RunTape(s_pair).Fault(5000, 9000, 0).Sent(6000, publisher: 3).Sent(6000, publisher: 4).Record();
        Assert.That(Long().IsMatch(PageOf([run])), Is.False);
        var told = FileOf([run]).GetProperty("runs")[0].GetProperty("violations").EnumerateArray().ToList();
        Assert.That(told[0].GetProperty("what").GetString(), Does.StartWith("b-2 #1 on t/3 was acknowledged"));
        Assert.That(told.Exists(violation => Long().IsMatch(violation.GetProperty("what").GetString()!)), Is.False);
    }

    [Test]
    public void A_hundred_thousand_messages_in_each_of_many_runs_make_a_small_page_in_a_moment()
    {
        var tape = new RunTape(s_pair).Fault(20_000, 60_000, 0);
        for (var message = 0; message < 100_000; message++)
            tape.Sent(
                message,
                message % 9,
                came: message % 7 == 0 ? null : message + message % 3000,
                node: message % 2
            );
        var run = tape.Record();
        var began = Stopwatch.GetTimestamp();
        var page = PageOf([.. Enumerable.Repeat(run, 30)]);
        var took = Stopwatch.GetElapsedTime(began);
        Assert.That(page, Has.Length.LessThan(2_000_000));
        Assert.That(page, Does.Contain("that lost no more are not drawn"));
        TestContext.Out.WriteLine($"{page.Length} characters in {took.TotalSeconds:0.00} s");
    }

    [Test]
    public void The_file_has_the_answer_and_a_line_for_each_message()
    {
        var file = FileOf([Run(lost: 1)]);
        Assert.That(file.GetProperty("answer").GetString(), Does.StartWith("No: when node a dies, 1 of 101"));
        var history = file.GetProperty("runs")[0].GetProperty("history");
        Assert.That(history.GetProperty("messages").GetArrayLength(), Is.EqualTo(101));
        Assert.That(
            history.GetProperty("messages")[100].GetRawText(),
            Is.EqualTo("""["a-1", 101, "a", 6000, 6001, "lost", null]""")
        );
        Assert.That(
            history.GetProperty("messages")[0].GetRawText(),
            Is.EqualTo("""["a-1", 1, "a", 0, 1, "in-time", 2]""")
        );
        Assert.That(history.GetProperty("lost").GetProperty("meanwhile").GetInt32(), Is.EqualTo(1));
        Assert.That(history.GetProperty("faults")[0].GetProperty("at").GetString(), Is.EqualTo("a"));
        Assert.That(history.GetProperty("messagesLeftOut").GetInt32(), Is.Zero);
        var text = File.ReadAllText(In("cluster.json"));
        Assert.That(
            text.Split('\n').Count(line => line.Contains("\"in-time\"", StringComparison.Ordinal)),
            Is.EqualTo(100)
        );
    }

    // A hundred messages that came, and some that were sent while a node was away.
    private static ClusterRunRecord Run(int lost)
    {
        var tape = new RunTape(s_pair).Fault(5000, 9000, 0);
        for (var message = 0; message < 100; message++)
            tape.Sent(10 * message, came: 10 * message + 2);
        for (var message = 0; message < lost; message++)
            tape.Sent(6000 + message);
        return tape.Record();
    }

    private string PageOf(IReadOnlyList<ClusterRunRecord> runs)
    {
        var path = In("cluster.html");
        ClusterRunPage.Write(path, Request(), s_broker, new(runs, [], IsInterrupted: false), DateTimeOffset.UnixEpoch);
        return File.ReadAllText(path);
    }

    private JsonElement FileOf(IReadOnlyList<ClusterRunRecord> runs)
    {
        var path = In("cluster.json");
        ClusterResultFile.Write(path, Request(), new(s_broker, new(runs, [], IsInterrupted: false)));
        return JsonElement.Parse(File.ReadAllText(path));
    }

    private static ClusterRunRequest Request() =>
        new(s_pair, [], 1, 1, AllowLoops: false, null, "mqttcheck cluster run");

    private static readonly BrokerDescription s_broker = new() { Name = "cluster:bridge-pair", Version = "2.0" };

    [GeneratedRegex(@"\b\d{9,}\b")]
    private static partial Regex Long();
}
