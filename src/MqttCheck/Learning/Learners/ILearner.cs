using MqttCheck.Learning.Data;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// A way to learn a latency model from training data. A new one is one class and an entry in
/// <see cref="LearnerCatalogue"/>. It learns from <see cref="TrainingData.OwnRows"/> and answers with
/// <see cref="TrainingData.WithHolds"/> of its model, so that deliveries which are kept back are simulated.
/// </summary>
internal interface ILearner
{
    /// <summary>The name on the command line and in model files.</summary>
    string Name { get; }

    /// <summary>One sentence for people.</summary>
    string Description { get; }

    /// <summary>Learns a model. The same data and seed give the same model, bit for bit.</summary>
    /// <param name="data">The data.</param>
    /// <param name="seed">The seed of whatever the learner leaves to chance.</param>
    FittedModel Learn(TrainingData data, ulong seed);
}
