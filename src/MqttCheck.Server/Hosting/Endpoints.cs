using System.Text;
using Microsoft.AspNetCore.Http;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Answers.Changes;
using MqttCheck.Server.Live;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Hosting;

/// <summary>The endpoints of the server. The OpenAPI file describes the same ones, and a test compares them.</summary>
internal sealed class Endpoints
{
    private const string Json = "application/json; charset=utf-8";
    private const string ReportPolicy =
        "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        + "img-src data:";

    private readonly WhatIfOptions _options;
    private readonly Simulations _simulations;
    private readonly CancellationToken _stopping;
    private readonly QuestionReader _reader;
    private readonly SavedFiles _files;
    private readonly ReportShelf _reports = new();
    private readonly ClusterEndpoints _clusters;
    private readonly LogUpload _logs;

    /// <summary>The endpoints of a server.</summary>
    /// <param name="stopping">Is cancelled when the server ends.</param>
    public Endpoints(WhatIfOptions options, Simulations simulations, CancellationToken stopping)
    {
        (_options, _simulations, _stopping) = (options, simulations, stopping);
        _reader = new(options.Models);
        _files = new(options.Output);
        _clusters = new(simulations, _files, stopping);
        _logs = new(options);
        Routes =
        [
            new("GET", "/", context => TextAsync(context, "text/html; charset=utf-8", WhatIfPage.Html)),
            new("GET", "/what-if.css", context => TextAsync(context, "text/css; charset=utf-8", WhatIfPage.Style)),
            new(
                "GET",
                "/what-if.js",
                context => TextAsync(context, "text/javascript; charset=utf-8", WhatIfPage.Script)
            ),
            new("GET", "/reports/", ReportAsync),
            new("GET", "/api/openapi.json", context => TextAsync(context, Json, OpenApi.Text)),
            new("GET", "/api/setup", context => JsonAsync(context, Setup())),
            new("POST", "/api/profiles", ProfileAsync),
            new("POST", "/api/models", LearnAsync),
            new("POST", "/api/predictions", context => SimulateAsync(context, Predict)),
            new("POST", "/api/sensitivities", context => SimulateAsync(context, Sensitivities)),
            new("POST", "/api/largest-fleets", context => SimulateAsync(context, LargestFleets)),
            new("POST", "/api/commands", CommandsAsync),
            new("POST", "/api/verification-plans", PlanAsync),
            new("POST", "/api/verifications", VerifyAsync),
            new("POST", "/api/explorations", ExploreAsync),
            new("POST", "/api/stops", StopAsync),
            .. _clusters.Routes,
        ];
    }

    public IReadOnlyList<Route> Routes { get; }

    private Setup Setup() =>
        new()
        {
            ToolVersion = _options.ToolVersion,
            Broker = _options.Live?.Name,
            Models = [.. _options.Models.All.Select(OfferedModel.Of)],
            Profiles = Hosting.Setup.BuiltInProfiles,
        };

    private static async Task ProfileAsync(HttpContext context)
    {
        var profile = QuestionReader.ReadProfile(await RequestBody.ReadAsync(context));
        context.Response.ContentType = Json;
        await context.Response.Body.WriteAsync(profile.Json, context.RequestAborted);
    }

    private async Task LearnAsync(HttpContext context)
    {
        using var gone = Gone(context);
        var log = await _logs.ReceiveAsync(context);
        await JsonAsync(context, await _simulations.ComputeAsync(() => _logs.Learn(log), gone.Token));
    }

    private async Task SimulateAsync(
        HttpContext context,
        Action<Question, Action<string, object>, CancellationToken> simulate
    )
    {
        var question = _reader.Read(await RequestBody.ReadAsync(context));
        using var gone = Gone(context);
        await _simulations.StreamAsync(
            context,
            question.Session,
            question.Request,
            (report, cancellation) => simulate(question, report, cancellation),
            gone.Token
        );
    }

    private void Predict(Question question, Action<string, object> report, CancellationToken cancellation) =>
        new QuestionSimulation(question, _options.Runner, report).Run(cancellation);

    private void Sensitivities(Question question, Action<string, object> report, CancellationToken cancellation) =>
        SensitivityAnalysis.Run(question, _options.Runner, report, cancellation);

    private void LargestFleets(Question question, Action<string, object> report, CancellationToken cancellation) =>
        LargestFleetSearch.Run(question, _options.Runner, report, cancellation);

    // The scenario that is meant stands first.
    private async Task CommandsAsync(HttpContext context)
    {
        var question = _reader.Read(await RequestBody.ReadAsync(context));
        var asked = Asked(question);
        await JsonAsync(
            context,
            new CopiedCommand(
                CommandText.Of(CommandText.Predict(asked)),
                CommandText.Of(CommandText.LargestFleet(question, asked.Threshold, asked.Files)),
                CommandText.Of(CommandText.Explore(asked, _options.Live?.Name)),
                asked.Files.Model,
                asked.Scenario.Model.Sha256,
                asked.Files.Profile,
                asked.Scenario.Profile.Sha256
            )
        );
    }

    private async Task PlanAsync(HttpContext context)
    {
        var asked = Asked(_reader.Read(await RequestBody.ReadAsync(context)));
        using var gone = Gone(context);
        await JsonAsync(context, await Live().PlanAsync(asked, gone.Token));
    }

    private Task VerifyAsync(HttpContext context) =>
        LiveAsync(
            context,
            async (live, asked, report, orderly) =>
            {
                var done = await live.VerifyAsync(asked, progress => report("progress", progress), orderly, _stopping);
                report("verdict", new VerdictShown(done, _reports.Add(done.ReportFile)));
            }
        );

    private Task ExploreAsync(HttpContext context) =>
        LiveAsync(
            context,
            async (live, asked, report, orderly) =>
            {
                var file = await live.ExploreAsync(asked, progress => report("progress", progress), orderly, _stopping);
                report("model", OfferedModel.Of(_options.Models.Add(file)));
            }
        );

    // Work on the live broker, whose progress is streamed.
    private async Task LiveAsync(
        HttpContext context,
        Func<ILiveBroker, VerificationAsked, Action<string, object>, CancellationToken, Task> work
    )
    {
        var question = _reader.Read(await RequestBody.ReadAsync(context));
        var asked = Asked(question);
        var live = Live();
        using var gone = Gone(context);
        await _simulations.StreamLiveAsync(
            context,
            question.Session,
            (report, orderly) => work(live, asked, report, orderly),
            gone.Token
        );
    }

    private async Task StopAsync(HttpContext context)
    {
        await _simulations.Live.StopAsync(QuestionReader.ReadStop(await RequestBody.ReadAsync(context)));
        context.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private VerificationAsked Asked(Question question)
    {
        var scenario = question.Scenarios[0];
        var threshold =
            question.Threshold
            ?? throw new InputException("question: thresholdMilliseconds: missing; allowed: a positive number");
        var most = question.Scenarios.Max(one => one.Clients);
        return new(
            scenario,
            threshold,
            Refinement.Steps(most)[^1],
            question.Seed,
            question.Beyond,
            _files.Save(scenario)
        );
    }

    private ILiveBroker Live() =>
        _options.Live
        ?? throw new Refusal(
            StatusCodes.Status404NotFound,
            "This server has no live broker; allowed: start it with --broker."
        );

    private async Task ReportAsync(HttpContext context)
    {
        var name = context.Request.Path.Value!["/reports/".Length..];
        var file =
            _reports.Find(name)
            ?? throw new Refusal(
                StatusCodes.Status404NotFound,
                "There is no report of this name; allowed: one that a " + "verification of this server has written."
            );
        context.Response.ContentType = "text/html; charset=utf-8";
        context.Response.Headers.ContentSecurityPolicy = ReportPolicy;
        await context.Response.SendFileAsync(file, context.RequestAborted);
    }

    private CancellationTokenSource Gone(HttpContext context) =>
        CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, _stopping);

    private static Task TextAsync(HttpContext context, string type, string text)
    {
        context.Response.ContentType = type;
        return context.Response.Body.WriteAsync(Encoding.UTF8.GetBytes(text), context.RequestAborted).AsTask();
    }

    /// <summary>Answers with JSON.</summary>
    internal static Task JsonAsync(HttpContext context, object value)
    {
        context.Response.ContentType = Json;
        return context.Response.Body.WriteAsync(AnswerJson.Of(value), context.RequestAborted).AsTask();
    }
}
