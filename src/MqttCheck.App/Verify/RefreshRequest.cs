using MqttCheck.App.Explore;
using MqttCheck.Predictions;

namespace MqttCheck.App.Verify;

/// <summary>Everything that refreshing a prediction needs beside the broker.</summary>
/// <param name="Prediction">The prediction that may be out of date.</param>
/// <param name="Explore">The exploration that is made where it is.</param>
/// <param name="Model">The model file to write.</param>
/// <param name="Output">The prediction file to write.</param>
internal sealed record RefreshRequest(Prediction Prediction, ExploreRequest Explore, string Model, string Output);
