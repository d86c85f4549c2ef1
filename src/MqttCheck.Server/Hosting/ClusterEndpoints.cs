using Microsoft.AspNetCore.Http;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Live;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Hosting;

/// <summary>The endpoints of the server for clusters.</summary>
/// <param name="simulations">The simulations that answer.</param>
/// <param name="files">The directory in which a topology of the browser is saved for its command.</param>
/// <param name="stopping">Is cancelled when the server ends.</param>
internal sealed class ClusterEndpoints(Simulations simulations, SavedFiles files, CancellationToken stopping)
{
    public IReadOnlyList<Route> Routes =>
        [new("POST", "/api/clusters", PredictAsync), new("POST", "/api/topologies", DrawAsync)];

    private static async Task DrawAsync(HttpContext context)
    {
        var topology = QuestionReader.ReadTopology(await RequestBody.ReadAsync(context));
        await Endpoints.JsonAsync(context, TopologyPicture.Of(topology));
    }

    private async Task PredictAsync(HttpContext context)
    {
        var question = QuestionReader.ReadCluster(await RequestBody.ReadAsync(context));
        if (question.File is { } file)
            question = question with { Named = files.SaveTopology(question.Variants[0].Topology.Name, file) };
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, stopping);
        await simulations.StreamAsync(
            context,
            question.Session,
            question.Request,
            (report, cancellation) => ClusterSimulation.Run(question, report, cancellation),
            gone.Token
        );
    }
}
