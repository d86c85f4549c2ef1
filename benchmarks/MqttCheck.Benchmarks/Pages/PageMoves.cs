using System.Diagnostics;
using System.Net.Http.Headers;
using System.Text;
using MqttCheck.Profiles;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Questions;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Pages;

/// <summary>
/// <c>page-moves [MOVES] [SECONDS]</c>: how soon the what-if page has a coarse answer to a moved slider (about 130
/// clients of up1), and what ten moves a second leave behind. Server and client share one process, whose memory is
/// printed.
/// </summary>
internal static class PageMoves
{
    private const int Moves = 50;
    private const int Seconds = 60;
    private const int MovesPerSecond = 10;
    private const int Clients = 130;
    private const string Model = "models/embedded-example.json";

    public static async Task<int> RunAsync(string[] arguments)
    {
        var moves = arguments.Length > 0 ? int.Parse(arguments[0]) : Moves;
        var seconds = arguments.Length > 1 ? int.Parse(arguments[1]) : Seconds;
        var models = new ModelShelf();
        var name = models.Add(Model).Name;
        var output = Directory.CreateTempSubdirectory("mqttcheck-page-");
        await using var server = await WhatIfServer.StartAsync(
            new()
            {
                Models = models,
                Output = output.FullName,
                ToolVersion = "benchmark",
            },
            CancellationToken.None
        );
        using var client = new HttpClient { BaseAddress = new Uri($"http://{server.Endpoint}") };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", server.Guard.Token);
        var profile = ProfileDocument.Of(ProfileFile.Read("up1")).Text;
        var request = 0L;

        var times = new List<double>();
        for (var move = 0; move < moves; move++)
        {
            var started = Stopwatch.GetTimestamp();
            await FirstAnswerAsync(client, Question(), CancellationToken.None);
            times.Add(Stopwatch.GetElapsedTime(started).TotalSeconds);
        }
        times.Sort();
        Console.WriteLine(
            Invariant($"coarse answer after a move, {moves} moves: median {times[times.Count / 2]:0.000} s, ")
                + Invariant($"longest {times[^1]:0.000} s")
        );

        var (most, waiting, failed) = (0L, 0, 0);
        var open = new List<Task>();
        using var process = Process.GetCurrentProcess();
        using var pace = new PeriodicTimer(TimeSpan.FromSeconds(1.0 / MovesPerSecond));
        for (var move = 0; move < seconds * MovesPerSecond; move++)
        {
            open.Add(AllAsync(client, Question()));
            open.RemoveAll(task => task.IsCompleted);
            process.Refresh();
            (most, waiting) = (Math.Max(most, process.WorkingSet64), Math.Max(waiting, open.Count));
            failed += server.Simulations.Turns.Count > 1 ? 1 : 0;
            await pace.WaitForNextTickAsync();
        }
        await Task.WhenAll(open);
        Console.WriteLine(
            Invariant($"{MovesPerSecond} moves a second for {seconds} s: at most {waiting} streams open, ")
                + Invariant($"{failed} times more than one simulation, at most {most / 1048576.0:0} MiB")
        );
        output.Delete(recursive: true);
        return 0;

        // Around 130, never the same twice in a row.
        string Question()
        {
            request++;
            var clients = Clients - 10 + request * 7 % 21;
            return Invariant(
                $$"""
                { "session": "benchmark", "request": {{request}}, "thresholdMilliseconds": 20,
                  "scenarios": [{ "model": "{{name}}", "clients": {{clients}}, "profile": {{profile}} }] }
                """
            );
        }
    }

    // Closes the stream after the first answer, as a page does whose slider moves on.
    private static async Task FirstAnswerAsync(HttpClient client, string question, CancellationToken cancellation)
    {
        using var answer = await SendAsync(client, question, cancellation);
        using var lines = new StreamReader(await answer.Content.ReadAsStreamAsync(cancellation));
        while (await lines.ReadLineAsync(cancellation) is { } line)
            if (line == "event: answer")
                return;
        throw new InvalidOperationException("The stream ended without an answer.");
    }

    private static async Task AllAsync(HttpClient client, string question)
    {
        try
        {
            using var answer = await SendAsync(client, question, CancellationToken.None);
            await answer.Content.CopyToAsync(Stream.Null);
        }
        catch (Exception cut) when (cut is HttpRequestException or IOException)
        {
            // A newer question has replaced it.
        }
    }

    private static async Task<HttpResponseMessage> SendAsync(
        HttpClient client,
        string question,
        CancellationToken cancellation
    )
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/predictions")
        {
            Content = new StringContent(question, Encoding.UTF8, "application/json"),
        };
        return await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellation);
    }
}
