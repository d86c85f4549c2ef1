using System.Net;
using System.Text;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Answers.Changes;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>Streams are bounded, stale questions end, and a browser that goes away leaves no simulation.</summary>
[TestFixture]
internal sealed class EventStreamTests : FreshServerFixture
{
    private const string Path = "/api/predictions";

    [Test]
    public async Task A_question_gets_a_coarse_answer_better_ones_and_an_end()
    {
        var events = await TestServer.EventsAsync(Client, Path, TestServer.Question(clients: 5, threshold: null));
        Assert.That(
            events.Select(one => one.Name),
            Is.EqualTo(["answer", "curve", "answer", "answer", "curve", "end"])
        );
        var answers = events.Where(one => one.Name == "answer").Select(one => one.Value).ToArray();
        Assert.That(
            answers.Select(answer => answer.GetProperty("thresholdMilliseconds").GetDouble()).Distinct().Count(),
            Is.EqualTo(1),
            "one threshold is chosen"
        );
        var widths = answers.Select(answer => answer.GetProperty("scenarios")[0]).Select(Width).ToArray();
        Assert.That(widths[^1], Is.LessThan(widths[0]), "the interval narrows");

        static double Width(System.Text.Json.JsonElement scenario) =>
            scenario.GetProperty("upper").GetDouble() - scenario.GetProperty("lower").GetDouble();
    }

    // A test holds every event back until it lets go, so streams stay open as long as it wants.
    [Test]
    public async Task A_thousand_streams_are_not_opened()
    {
        const int most = 4;
        const int asked = 1000;
        var hold = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = await TestServer.StartAsync(
            eventStreams: most,
            beforeEvent: (_, _, cancellation) => hold.Task.WaitAsync(cancellation)
        );
        using var client = server.Client();
        using var gone = new CancellationTokenSource();
        var opened = new List<HttpResponseMessage>();
        var refused = 0;
        for (var number = 0; number < asked; number++)
        {
            var answer = await OpenAsync(client, $"s{number}", 1, gone.Token);
            if (answer.StatusCode == HttpStatusCode.ServiceUnavailable)
            {
                refused++;
                answer.Dispose();
            }
            else
                opened.Add(answer);
            Assert.That(server.Server.Simulations.OpenStreams, Is.LessThanOrEqualTo(most));
        }
        Assert.That((opened.Count, refused), Is.EqualTo((most, asked - most)));
        hold.SetResult();
        foreach (var answer in opened)
            answer.Dispose();
        Assert.That(() => server.Server.Simulations.OpenStreams, Is.Zero.After(60_000, 10));
    }

    [Test]
    public async Task A_browser_that_goes_away_ends_its_simulations()
    {
        var answer = await OpenAsync(Client, "leaves", 1, CancellationToken.None, clients: 5000);
        Assert.That((answer.StatusCode, Server.Server.Simulations.Turns.Count), Is.EqualTo((HttpStatusCode.OK, 1)));
        answer.Dispose();
        Assert.That(() => Server.Server.Simulations.Turns.Count, Is.Zero.After(60_000, 10));
        Assert.That(Server.Server.Simulations.OpenStreams, Is.Zero);
    }

    [Test]
    public async Task A_newer_question_ends_the_older_one_and_a_stale_one_is_refused()
    {
        using var older = await OpenAsync(Client, "page", 5, CancellationToken.None, clients: 5000);
        using var newer = await OpenAsync(Client, "page", 7, CancellationToken.None, clients: 5000);
        using var stale = await OpenAsync(Client, "page", 6, CancellationToken.None);
        Assert.That(stale.StatusCode, Is.EqualTo(HttpStatusCode.Conflict));
        Assert.That(await stale.Content.ReadAsStringAsync(), Does.Contain("Question 6 is stale: the page has asked 7"));
        Assert.That(async () => await older.Content.ReadAsStringAsync(), Throws.InstanceOf<Exception>(), "it is cut");
        Assert.That(Server.Server.Simulations.Turns.Count, Is.EqualTo(1));
    }

    // The work is bounded by what is asked at once, not by how many moves there were.
    [Test]
    public async Task Many_moves_of_a_slider_leave_one_simulation()
    {
        var answers = new List<HttpResponseMessage>();
        for (var move = 1; move <= 60; move++)
        {
            var answer = await OpenAsync(Client, "mover", move, CancellationToken.None, clients: 100 + move);
            Assert.That((answer.StatusCode, Server.Server.Simulations.Turns.Count), Is.EqualTo((HttpStatusCode.OK, 1)));
            answers.Add(answer);
        }
        foreach (var answer in answers)
            answer.Dispose();
        Assert.That(() => Server.Server.Simulations.OpenStreams, Is.Zero.After(60_000, 10));
    }

    [Test]
    public async Task Every_change_is_tried_in_turn()
    {
        var events = await TestServer.EventsAsync(Client, "/api/sensitivities", TestServer.Question(clients: 5));
        var tried = events.Where(one => one.Name == SensitivityAnalysis.Event).Select(one => one.Value).ToArray();
        Assert.That(
            tried.Select(one => one.GetProperty("changes").GetArrayLength()),
            Is.EqualTo(Enumerable.Range(1, ProfileChange.All.Count))
        );
        Assert.That(
            tried.Select(one => one.GetProperty("isFinal").GetBoolean()),
            Is.EqualTo(tried.Select((_, i) => i == ProfileChange.All.Count - 1))
        );
        Assert.That(
            tried[^1]
                .GetProperty("changes")
                .EnumerateArray()
                .Select(change => change.GetProperty("change").GetString()),
            Is.EquivalentTo(ProfileChange.All.Select(change => change.Name))
        );
    }

    private static Task<HttpResponseMessage> OpenAsync(
        HttpClient client,
        string session,
        long request,
        CancellationToken cancellation,
        int clients = 5
    )
    {
        var message = new HttpRequestMessage(HttpMethod.Post, Path)
        {
            Content = new StringContent(
                // A fleet that takes long is beyond twice the load of the model.
                TestServer.Question(clients: clients, session: session, request: request, beyond: true),
                Encoding.UTF8,
                "application/json"
            ),
        };
        return client.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, cancellation);
    }
}
