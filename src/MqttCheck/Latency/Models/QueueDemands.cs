using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;

namespace MqttCheck.Latency.Models;

/// <summary>How long the server of a <see cref="QueueModel"/> takes.</summary>
/// <param name="ConnectMilliseconds">For one visit of a connect, see <paramref name="ConnectVisit"/>.</param>
/// <param name="VisitMilliseconds">For any other visit.</param>
/// <param name="DeliveryMilliseconds">For each delivery of a publication, besides.</param>
/// <param name="ConnectVisits">How often a connect visits the server, 1 .. <see cref="MostConnectVisits"/>.</param>
/// <param name="ConnectVisit">
/// Which of these visits takes <paramref name="ConnectMilliseconds"/>, from 1: the first, unless a server accepts a
/// connection in one round and does the work in the next.
/// </param>
internal sealed record QueueDemands(
    double ConnectMilliseconds,
    double VisitMilliseconds,
    double DeliveryMilliseconds,
    int ConnectVisits,
    int ConnectVisit = 1
)
{
    /// <summary>The most visits of a connect.</summary>
    public const int MostConnectVisits = 3;

    /// <summary>The service time of a visit of a connect.</summary>
    /// <param name="visit">Which visit, from 1.</param>
    public double OfConnectVisit(int visit) => visit == ConnectVisit ? ConnectMilliseconds : VisitMilliseconds;

    /// <summary>All that the server does for an exchange.</summary>
    /// <param name="features">The features when it is sent.</param>
    public double Of(in ExchangeFeatures features) =>
        features.Kind switch
        {
            MessageKind.Connect => ConnectMilliseconds + (ConnectVisits - 1) * VisitMilliseconds,
            MessageKind.Publish => VisitMilliseconds + DeliveryMilliseconds * features.Subscribers,
            MessageKind.Disconnect or MessageKind.Subscribe or MessageKind.Unsubscribe => VisitMilliseconds,
            _ => throw new UnreachableException(),
        };
}
